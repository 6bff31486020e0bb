/** First screen: what happened, the outcome of every record, and the next command. */
import { html } from 'hono/html';
import { count, duration, percent, thousands } from '../../model/figures.js';
import { OUTCOMES } from '../../model/record.js';
import { shellWord } from '../../model/text.js';
import { afterRehearsal, nextCommands, typedOf } from '../next-command.js';
import { programName } from '../program-name.js';
import { isSandbox, meaningOf, nameOfOutcome, type Report, toneOf } from '../report.js';
import { headline } from '../report-text.js';
import { comparison } from './comparison.js';
import {
  type Content,
  commandLine,
  foreign,
  type Html,
  inputsText,
  momentText,
  outcomeBar,
  outcomesText,
  sentenceText,
} from './parts.js';
import { MIN_SHARED } from './without-quotes.js';

/** @param quotes whether the page may quote values of single records */
export function verdict(report: Report, quotes: boolean): Html {
  const [first = '', ...others] = verdictLines(report);
  const { counts, started, timeZone, elapsedMs } = report;
  const when = started && `${momentText(started, timeZone)}, took ${duration(elapsedMs)}`;
  return html`
<section id="verdict" class="verdict ${toneOf(report)}" aria-labelledby="headline">
${when && html`<p class="lead">${when}</p>`}
<h1 id="headline">${sentenceText(first)}</h1>
${others.map((line) => html`<p>${sentenceText(line)}</p>`)}
${report.command === 'validate' && html`<p>${importAnswer(report)}</p>`}
${isSandbox(report.target) && report.counts.accepted > 0 && html`<p>This was a rehearsal: nothing of it is in the service.</p>`}
${questions(report)}
${counts.read > 0 && html`<p>${quotesText(report, quotes)}</p>`}
${counts.read > 0 && outcomes(report)}
${next(report)}
</section>`;
}

function verdictLines(report: Report): readonly string[] {
  const drift = report.drift ?? [];
  const names = [...new Set(drift.map(({ source }) => source))].join(', ');
  const [first = '', ...others] = headline(report);
  return drift.length === 0
    ? [first, ...others]
    : [
        `${first.replace(/\.$/u, '')}, although ${names} has drifted.`,
        `${count(drift.length, 'difference')} from what the mapping expects, accepted for this run.`,
        ...others,
      ];
}

/** Answers, after a validation, whether the inputs can be imported now. */
function importAnswer({ status, counts, diagnosis, causes, openQuestions = [] }: Report): string {
  const { invalid, unsent } = counts;
  if (status !== 'finished') return 'Validate all of it before you import.';
  if (unsent === 0) return 'An import now would send nothing.';
  const hasFuture = causes.some(({ kind }) => kind === 'future-date');
  const known = openQuestions.length > 0 ? 'once the open questions are answered' : 'now';
  const early = hasFuture ? 'once the dates in the future are checked' : known;
  const start = `You can import ${diagnosis === null ? early : 'once the warning above is settled'}`;
  const are = invalid === 1 ? 'it is' : 'they are';
  const rest =
    invalid === 0 ? '' : `, ${count(invalid, 'invalid record')} would not (${are} listed below)`;
  return `${start}: ${count(unsent, 'document')} would be sent, unless imported before${rest}.`;
}

function questions({ openQuestions: { length } = [] }: Report): Content {
  if (length === 0) return null;
  return html`<p class="warning">The mapping leaves <a href="#questions">${count(length, 'question')}</a> open.</p>`;
}

/** Says whether the page shows what single people wrote, for whoever passes it on. */
function quotesText(report: Report, quotes: boolean): string {
  const { causes, problems, skips = [], diagnosis } = report;
  if (!quotes) {
    return `This page quotes nobody: it has figures, names of files and columns, and values that ${MIN_SHARED} or more documents share. Notices, and values in messages, are left out.`;
  }
  const mayQuote = causes.length + problems.length + skips.length > 0 || diagnosis !== null;
  return mayQuote
    ? 'Values of single records may be quoted below: look through the page before you pass it on, or have it made with --no-quotes.'
    : 'This page has figures, frequent values and values that all documents share, but no records.';
}

function outcomes(report: Report): Html {
  const { command, counts, recordsPerSecond, inputs, skips = [] } = report;
  const only = skips.length === 1 ? skips[0]?.condition : undefined;
  const from = inputsText(inputs.map(({ name }) => name));
  const tiles = OUTCOMES.filter((outcome) => counts[outcome] > 0).map((outcome) => {
    const meaning = (outcome === 'skipped' && only) || meaningOf(outcome, command);
    const text = sentenceText(`${percent(counts[outcome], counts.read)}, ${meaning}`);
    return tile(outcome, nameOfOutcome(outcome, command), counts[outcome], text);
  });
  return html`${outcomeBar(counts)}
<p class="sum">Each record is counted once: ${thousands(counts.read)} read = ${outcomesText(counts, command)}.
${verification(report)}</p>
<dl class="outcomes">
${tile('read', 'read', counts.read, ['from ', foreign(from), `, ${thousands(recordsPerSecond)} a second`])}
${tiles}
</dl>
${comparison(report)}`;
}

function verification(report: Report): Content {
  if (report.counts.accepted === 0) return null;
  const [to, words] = [isSandbox(report.target) ? 'sandbox' : 'service', typedOf(report).service];
  const command = [programName(), 'verify', shellWord(report.run), ...words].join(' ');
  return html`To compare with the ${to}: <code>${command}</code>`;
}

function tile(outcome: string, name: string, records: number, text: Content): Html {
  return html`<div class="is-${outcome}"><dt>${name}</dt>
<dd><b data-count="${outcome}">${thousands(records)}</b><span>${text}</span></dd></div>`;
}

/** A page has room for more files than a terminal. */
const MAX_FILES = 20;
const PLACEHOLDER = / (?:FILES|MAPPING|ID)(?: |$)/u;

function next(report: Report): Content {
  const typed = { ...typedOf(report), maxFiles: MAX_FILES };
  // Rejects that are fixed in the sandbox only would still be invalid in the service.
  const rejects = isSandbox(report.target) ? [] : report.rejects;
  return [...nextCommands({ ...report, rejects }, typed), ...afterRehearsal(report, typed)]
    .filter(({ command }) => !PLACEHOLDER.test(command))
    .map(({ why, command }) => html`<div class="next"><p>${why}</p>${commandLine(command)}</div>`);
}
