import type { ProblemKind } from '../model/record.js';
import type { ProblemExample, ProblemGroup } from '../outcomes/tally.js';
import { printable } from './printable.js';
import type { Report } from './report.js';
import { headline, placeText } from './report-text.js';

/**
 * A report's first problems as workflow commands of GitHub Actions, a line each: `::error …::…` for
 * why the run ended early and for what is wrong with records, `::warning …::…` for the rest. At most
 * ten of each, as GitHub shows no more of a step. Empty if there is nothing to say.
 */
export function reportAnnotations(report: Report): string {
  const wrong = report.problems.filter(({ kind }) => !COSTS_NOTHING.has(kind));
  const rest = report.problems.filter(({ kind }) => COSTS_NOTHING.has(kind));
  const errors = [...stopCommand(report), ...commandsOf('error', wrong)];
  const warnings = commandsOf('warning', rest);
  const lines = [...errors.slice(0, MAX_EACH), ...warnings.slice(0, MAX_EACH)];
  return lines.map((line) => `${line}\n`).join('');
}

const MAX_EACH = 10;

/** Kinds of which no record is invalid or rejected: a person may want to know. */
const COSTS_NOTHING: ReadonlySet<ProblemKind> = new Set([
  'duplicate',
  'known',
  'changed',
  'in-doubt',
  'mended',
  'unknown',
  'sent-again',
  'shown-twice',
]);

function stopCommand(report: Report): readonly string[] {
  if (report.status === 'finished') return [];
  const [first = ''] = headline(report);
  return [command('error', { title: 'docferry' }, first)];
}

/** The first example of each kind, then the second of each, and so on. */
function commandsOf(level: 'error' | 'warning', groups: readonly ProblemGroup[]): string[] {
  const most = Math.max(0, ...groups.map(({ examples }) => examples.length));
  const rounds = Array.from({ length: most }, (_, round) =>
    groups.flatMap(({ kind, examples }) =>
      examples.slice(round, round + 1).map((example) => problemCommand(level, kind, example)),
    ),
  );
  return rounds.flat();
}

function problemCommand(
  level: 'error' | 'warning',
  kind: ProblemKind,
  example: ProblemExample,
): string {
  const { source, line } = example;
  // Without a file, GitHub shows an annotation at the run.
  const place = isPath(source) ? { file: source, ...(line === null ? {} : { line }) } : {};
  return command(level, { ...place, title: kind }, `${placeText(example)}: ${example.message}`);
}

function isPath(source: string): boolean {
  return source !== 'stdin' && source !== 'records' && !source.includes('://');
}

type Properties = Readonly<Record<string, string | number>>;

function command(level: string, properties: Properties, message: string): string {
  const pairs = Object.entries(properties).map(
    ([name, value]) => `${name}=${property(`${value}`)}`,
  );
  return `::${level} ${pairs.join(',')}::${data(printable(message))}`;
}

function property(value: string): string {
  return data(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** As GitHub's own toolkit escapes them: a line must end where its command does. */
function data(value: string): string {
  return value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
