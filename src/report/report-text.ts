import { byteSize, count, duration, thousands } from '../model/figures.js';
import { OUTCOMES } from '../model/record.js';
import { PLAIN, paint, sign, type Terminal, type Tone, wrap } from '../model/terminal.js';
import { printable, sentence } from '../model/text.js';
import type { InputReport } from '../outcomes/events.js';
import { causeTexts } from './causes-text.js';
import { changesSince } from './comparison.js';
import { coverageLines } from './coverage-text.js';
import {
  type EarlierRun,
  isSandbox,
  meaningOf,
  nameOfOutcome,
  type Report,
  toneOf,
} from './report.js';

/**
 * Formats a report for people, starting with what happened. Lines end in `\n`. Text from records or
 * the service is escaped, so that it can't affect a terminal.
 */
export function reportText(report: Report, terminal: Terminal = PLAIN): string {
  const notices = report.notices.map((notice) => `Note: ${notice}`);
  const sections = [
    headlineLines(report, terminal),
    countLines(report, terminal),
    remarkLines(report).map((line) => wrap(printable(line), terminal, 2)),
    causeLines(report, terminal),
    // For an import, the outcomes matter; the page and the JSON have the coverage.
    report.command === 'validate' ? coverageLines(report.coverage, terminal) : [],
    notices.map((notice) => wrap(printable(notice), terminal, 2)),
    rejectsLines(report).map((line) => wrap(printable(line), terminal, 2)),
    runLines(report).map((line) => paint(wrap(printable(line), terminal, 2), 'dim', terminal)),
  ];
  const lines = sections
    .filter((section) => section.length > 0)
    .flatMap((section) => [...section, '']);
  return `${lines.slice(0, -1).join('\n')}\n`;
}

/** Formats the verdict in bold, after a sign that shows whether it is good news. */
function headlineLines(report: Report, terminal: Terminal): readonly string[] {
  const [first = '', ...others] = headline(report).map(printable);
  const tone = toneOf(report);
  const lines = wrap(`${sign(tone, PLAIN)} ${first}`, terminal, 2).slice(2);
  return [
    `${sign(tone, terminal)} ${paint(lines, 'bold', terminal)}`,
    ...others.map((line) => wrap(`  ${line}`, terminal, 2)),
  ];
}

/** Remedies for kinds of stops whose message has none. */
const REMEDIES: Readonly<Record<string, string>> = {
  'too-many-errors': 'Fix the mapping or the records below, or allow more errors.',
  thread: 'Run without worker threads (--threads 0), or with smaller chunks.',
  output: 'Free disk space, or write the file elsewhere.',
};

/** Headline of a run, in one to three lines. */
export function headline(report: Report): readonly string[] {
  const { status, stop } = report;
  if (status === 'finished') return [...diagnosisLine(report), summary(report)];
  const reason = stop === null || status === 'interrupted' ? '' : `: ${sentence(stop.message)}`;
  const remedy = stop === null ? undefined : REMEDIES[stop.kind];
  const how = status === 'interrupted' ? 'Interrupted.' : `Stopped early${reason || '.'}`;
  const lines = [how, ...(remedy === undefined ? [] : [remedy])];
  return [...lines, ...diagnosisLine(report), summary(report)];
}

function diagnosisLine({ diagnosis }: Report): readonly string[] {
  return diagnosis ? [diagnosis] : [];
}

function summary({ command, status, counts, target }: Report): string {
  const { read, invalid, rejected, unknown, unsent } = counts;
  if (read === 0) return 'No record was read.';
  const isImport = command === 'import';
  const good = isImport ? counts.accepted : unsent;
  const broken = invalid + rejected + unknown;
  const waiting = isImport ? unsent : 0;
  const all = `${read === 1 ? '1' : `all ${thousands(read)}`} ${read === 1 ? 'review' : 'reviews'}`;
  const reviews = good === read ? all : `${thousands(good)} of ${count(read, 'review')}`;
  const outcome = target === null ? 'valid' : `imported into ${monitoringText(target)}`;
  const isNothingNew = good + broken + waiting === 0;
  // A nightly export that is whole each time has few new reviews.
  const repeated = isImport && !isNothingNew ? counts.duplicate : 0;
  const facts = [
    isNothingNew ? `nothing new, ${all} skipped or repeated` : `${reviews} ${outcome}`,
    ...figureText(broken, broken === 1 ? 'needs a look' : 'need a look'),
    ...figureText(waiting, 'not sent'),
    ...figureText(repeated, 'repeated or imported before'),
    // A comma after a number would look like one in it.
  ].join(isImport ? '; ' : ', ');
  const shown = status === 'finished' ? `Finished: ${facts}` : facts.replace(/^a/u, 'A');
  return `${shown}.${isImport ? '' : ' Nothing was sent.'}`;
}

function figureText(records: number, what: string): readonly string[] {
  return records === 0 ? [] : [`${thousands(records)} ${what}`];
}

function monitoringText(target: NonNullable<Report['target']>): string {
  return `monitoring ${target.monitoring}${isSandbox(target) ? ' of the sandbox' : ''}`;
}

const TONES: Readonly<Partial<Record<string, Tone>>> = {
  accepted: 'good',
  valid: 'good',
  invalid: 'bad',
  rejected: 'bad',
  unknown: 'mixed',
};

const NAME_WIDTH = 9;

function countLines({ command, counts }: Report, terminal: Terminal): string[] {
  const rows: [string, number, string][] = [['read', counts.read, '']];
  for (const outcome of OUTCOMES) {
    if (counts[outcome] === 0) continue;
    rows.push([nameOfOutcome(outcome, command), counts[outcome], meaningOf(outcome, command)]);
  }
  const figureWidth = Math.max(...rows.map(([, figure]) => thousands(figure).length));
  return rows.map(([name, figure, meaning]) => {
    const tone = TONES[name];
    const cell = name.padEnd(NAME_WIDTH);
    const shown = tone === undefined ? cell : paint(cell, tone, terminal);
    const facts = `  ${shown}  ${thousands(figure).padStart(figureWidth)}`;
    const line = meaning === '' ? facts : `${facts}  ${paint(meaning, 'dim', terminal)}`;
    return wrap(line, terminal, NAME_WIDTH + figureWidth + 6);
  });
}

const MAX_SKIPS = 5;

/** Explains why records were skipped, and warns of what is worse than in the run before. */
export function remarkLines(report: Report): readonly string[] {
  const { counts, skips = [], earlier } = report;
  const reasons = skips.map(({ condition, records }) =>
    skips.length === 1 ? condition : `${condition} (${thousands(records)})`,
  );
  const more = reasons.length - MAX_SKIPS;
  const shown = [...reasons.slice(0, MAX_SKIPS), ...(more > 0 ? [`${more} more reasons`] : [])];
  return [
    ...(shown.length === 0
      ? []
      : [`Skipped ${count(counts.skipped, 'record')}: ${shown.join(', ')}`]),
    ...(earlier ? worsened(report, earlier) : []),
  ];
}

function worsened(report: Report, earlier: EarlierRun): readonly string[] {
  const worse = changesSince(earlier, report).filter(({ loss }) => loss > 0);
  if (worse.length === 0) return [];
  const changes = worse.map(({ name, before, now }) => `${name} ${before} → ${now}`);
  const day = new Date(earlier.started).toLocaleDateString('en-GB', { dateStyle: 'long' });
  return [`${changes.join(', ')} since the run of ${day}`];
}

/** Causes of invalid records, and the edits that cure them. */
function causeLines(report: Report, terminal: Terminal): string[] {
  const { shown, more } = causeTexts(report);
  const lines = shown.flatMap(({ tone, title, evidence, remedy = '' }) => [
    wrap(`${sign(tone, terminal)} ${printable(title)}`, terminal, 2),
    paint(wrap(`  ${printable(evidence)}`, terminal, 4), 'dim', terminal),
    ...(remedy === '' ? [] : [wrap(`  ${printable(remedy)}`, terminal, 4)]),
  ]);
  if (more === 0) return lines;
  return [...lines, `${count(more, 'other cause')}: the JSON report has all of them`];
}

/** Files to fix and import again. */
export function rejectsLines({ rejects }: Report): string[] {
  return rejects.map(
    ({ file, reasons, records }) =>
      `To fix and import again: ${count(records, 'record')} in ${file}, the reasons in ${reasons}`,
  );
}

/** Largest number of inputs listed. */
const MAX_INPUTS = 20;

/** Describes the inputs and the run. */
export function runLines({ run, inputs, mapping, ...report }: Report): string[] {
  const more = inputs.length - MAX_INPUTS;
  const speed = `${thousands(report.recordsPerSecond)} records a second`;
  const sent =
    report.command === 'import'
      ? `, ${report.batches} ${report.batches === 1 ? 'batch' : 'batches'}, ${report.retries === 1 ? '1 retry' : `${thousands(report.retries)} retries`}`
      : '';
  return [
    ...inputs.slice(0, MAX_INPUTS).map(inputText),
    ...(more > 0 ? [`and ${count(more, 'input')} more`] : []),
    `Run ${run} with mapping "${mapping}": ${duration(report.elapsedMs)}, ${speed}${sent}`,
  ];
}

function inputText({ name, records, bytes, ...input }: InputReport): string {
  const facts = [
    input.format,
    input.encoding,
    input.delimiter === null ? null : `delimiter ${JSON.stringify(input.delimiter)}`,
    input.compression,
    bytes === null ? null : byteSize(bytes),
    count(records, 'record'),
  ];
  return `${name}: ${facts.filter((fact) => fact !== null).join(', ')}`;
}
