import { html } from 'hono/html';
import { count, thousands } from '../../model/figures.js';
import type { Place } from '../../model/record.js';
import type { ProblemExample } from '../../outcomes/problem-tally.js';
import { causeText } from '../causes-text.js';
import { recordCommand } from '../next-command.js';
import type { Cause, Report } from '../report.js';
import {
  type Content,
  commandLine,
  figures,
  foreign,
  type Html,
  MAX_ROWS,
  omitted,
  placeText,
  section,
  sentenceText,
  table,
} from './parts.js';

/** What makes records invalid, and who can cure it; each cause opens to its first records. */
export function problemsSection(report: Report): Html {
  const causes = report.causes.filter((cause) => !isRepeat(cause));
  if (causes.length === 0) return section('problems', 'Problems', 'No record has a problem.');
  const items = causes.slice(0, MAX_ROWS).map((cause, index) => {
    const places = cause.places.slice(0, index < MAX_LONG ? undefined : MAX_SHORT);
    return causeItem(cause, places, report);
  });
  const lead =
    causes.length > 1 &&
    'First what makes the most records valid. A record may have several problems.';
  const list = html`<ol class="causes">${items}</ol>`;
  return section('problems', 'What to do', lead, list, omitted(causes.length, 'causes'));
}

/** Most causes with all of their places, which would make a page of many causes large. */
const MAX_LONG = 15;
const MAX_SHORT = 3;
function causeItem(cause: Cause, places: Cause['places'], report: Report): Html {
  const { title, evidence, remedy = '' } = causeText(cause, report.inputs.length > 1);
  const first = `${evidence.charAt(0).toUpperCase()}${evidence.slice(1)}`;
  const addressee = addresseeOf(cause, report);
  const other = cause.fixedIn?.includes('mapping', 1)
    ? `; to change the mapping instead, ${mappingOwner(report)}`
    : '';
  const command = cause.places[0] && recordCommand(report, cause.places[0]);
  const examples = examplesOf(cause, report);
  const isOne =
    cause.columns.length > 0 || new Set(examples.map(({ message }) => message)).size < 2;
  const which = places.length < cause.records ? `The first ${places.length} of ` : '';
  return html`<li class="problem"><b>${sentenceText(title)}</b>
<span class="line">${sentenceText(remedy)}</span>
<small class="line">${sentenceText(`${first}. For ${addressee}${other}.`)}</small>
<details><summary><code>${cause.kind}</code> ${which}${count(cause.records, 'record')}</summary>
${isOne && examples[0] && html`<p>${sentenceText(examples[0].message)}</p>`}
<ul class="places">${places.map((place) => {
    const own = isOne ? undefined : examples.find((one) => isSamePlace(one, place));
    return html`<li>${placeItem(place)}${own && [': ', sentenceText(own.message)]}</li>`;
  })}</ul>
${command !== undefined && commandLine(command)}</details></li>`;
}

/** Selects the examples of a cause: those of its kind in one of its fields. */
function examplesOf({ kind, fields }: Cause, { problems }: Report): readonly ProblemExample[] {
  const examples = problems.find((group) => group.kind === kind)?.examples ?? [];
  return examples.filter(({ field }) =>
    field === null
      ? Object.keys(fields).length === 0
      : Object.hasOwn(fields, field.replace(/\[\d+\]/gu, '[]')),
  );
}

function isSamePlace(one: Place, { source, record }: Place): boolean {
  return one.source === source && one.record === record;
}

const MAX_VALUE = 40;

function placeItem(place: Cause['places'][number]): Content {
  const { value = '' } = place;
  return [placeText(place), value !== '' && [': ', foreign(value, MAX_VALUE)]];
}

/** Whom a cause concerns. Names of people are unknown, so it names their work. */
function addresseeOf({ fixedIn = [], places }: Cause, report: Report): string {
  const { target, run } = report;
  switch (fixedIn[0]) {
    case 'export':
      return `the provider of the export \`${places[0]?.source}\``;
    case 'service':
      return `the support of \`${target?.baseUrl}\` (monitoring ${target?.monitoring}, run ${run})`;
    default:
      return mappingOwner(report);
  }
}

function mappingOwner({ mappingFile }: Report): string {
  return `the owner of the mapping${mappingFile ? ` \`${mappingFile}\`` : ''}`;
}

export function isRepeat({ kind }: Pick<Cause, 'kind'>): boolean {
  return kind === 'duplicate' || kind === 'known' || kind === 'changed';
}

/** Records that are in the service already, or came before. */
export function repeatsSection(report: Report): Html {
  const lead = 'Not sent, because they are there already, or came earlier in this run.';
  const repeats = table('Repeats', {
    columns: ['First of them', 'Reason', figures('Records')],
    rows: report.problems.filter(isRepeat),
    cells: ({ examples: [one], kind, count: records }) => [
      one && placeText(one),
      one
        ? sentenceText(`${one.message}${kind === 'changed' ? `. For ${mappingOwner(report)}` : ''}`)
        : kind,
      thousands(records),
    ],
  });
  return section('repeats', 'Repeats', lead, repeats);
}
