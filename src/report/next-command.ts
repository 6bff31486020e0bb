import { thousands } from '../model/figures.js';
import type { Place, ProblemKind } from '../model/record.js';
import { fileWord, printable, shellWord } from '../model/text.js';
import { programName } from './program-name.js';
import { isSandbox, type Report } from './report.js';

/** Suggestion after a run. The command may have placeholders in capitals, for example `FILES`. */
export interface NextCommand {
  readonly why: string;
  readonly command: string;
  /** Whether it has the placeholder `DATE`. */
  readonly asksForDate: boolean;
}

/** The run's command as typed, for suggesting the next one. */
export interface TypedCommand {
  /** The program's name. */
  readonly program: string;
  /** Inputs as typed; by default the names of those that were read. */
  readonly inputs?: readonly string[];
  /** Flags of the service and of the place of runs. */
  readonly service: readonly string[];
  /** Those of the place of runs. */
  readonly state: readonly string[];
  /** Most files that are named; by default, few enough to be read in a line. */
  readonly maxFiles?: number;
}

const UNKNOWN = { service: [], state: [] };

/**
 * The command as far as a report shows it: `--sandbox`, without which the next one might reach the real
 * service, and the place of runs, but not the connection.
 */
export function typedOf({ target, stateFlags = [] }: Report): TypedCommand {
  const sandbox = isSandbox(target) ? ['--sandbox'] : [];
  return { program: programName(), service: [...sandbox, ...stateFlags], state: stateFlags };
}

/** Suggests the command after a run, as it can be typed. */
export function nextCommand(report: Report, typed: TypedCommand = typedOf(report)): NextCommand {
  const after = report.command === 'import' ? afterImport : afterValidation;
  return asTyped(after(report, typed), typed);
}

/** Suggests the commands after a run: the next one, and the import of what is valid among invalid records. */
export function nextCommands(report: Report, typed: TypedCommand): readonly NextCommand[] {
  const { command, exitCode, counts } = report;
  const isPartlyValid = command === 'validate' && exitCode === 1 && counts.unsent > 0;
  const more = isPartlyValid ? [rehearsal(report, mappedInputs(report, typed))] : [];
  return [nextCommand(report, typed), ...more.map((way) => asTyped(way, typed))];
}

function asTyped({ why, words }: Suggestion, { program }: TypedCommand): NextCommand {
  const command = [program, ...words].join(' ');
  return { why, command, asksForDate: words.includes(DATE) };
}

const DATE = 'DATE';

interface Suggestion extends Pick<NextCommand, 'why'> {
  readonly words: readonly string[];
}

function afterValidation(report: Report, typed: TypedCommand): Suggestion {
  const { exitCode, stop } = report;
  const mapped = mappedInputs(report, typed);
  if (exitCode === 0) return rehearsal(report, mapped);
  if (exitCode !== 1 && stop?.kind !== 'too-many-errors') {
    return { why: 'To validate all of it:', words: ['validate', ...mapped] };
  }
  return invalidRecords(report, mapped);
}

function afterImport(report: Report, typed: TypedCommand): Suggestion {
  const { exitCode, counts, rejects, target, resumable, stop } = report;
  if (stop?.kind === 'shards') {
    const why = 'To list the shards (start those that are left again, with the same command):';
    return { why, words: ['runs', 'show', shellWord(report.run), ...typed.state] };
  }
  const run = [shellWord(report.run), ...typed.service];
  const into = ['--monitoring', `${target?.monitoring ?? 'ID'}`, ...typed.service];
  if (exitCode === 3) {
    const why = 'List the monitorings that these credentials can access:';
    return { why, words: ['monitorings', 'list', ...typed.service] };
  }
  if (counts.unknown > 0) {
    const why = 'To settle the unknown outcomes, without sending anything:';
    return { why, words: ['runs', 'resolve', ...run] };
  }
  if (resumable && counts.unsent > 0) {
    return { why: 'To send what is left:', words: resumeWords(report, typed.service) };
  }
  if (rejects.length > 0) {
    const files = fileWords(
      rejects.map(({ file }) => file),
      typed,
    );
    const why = 'Fix the mapping or the rejects, and import those again:';
    return { why, words: ['import', ...files, ...mappingFlags(report), ...into] };
  }
  if (counts.rejected > 0) {
    const why =
      'Correct what the service refused, in the mapping or the file, and import again; nothing is sent twice:';
    return { why, words: ['import', ...mappedInputs(report, typed), ...into] };
  }
  if (counts.invalid > 0) return invalidRecords(report, mappedInputs(report, typed));
  if (counts.accepted === 0) return afterNothingNew(report, typed);
  const why = 'To compare what was sent with what the service shows:';
  return { why, words: ['verify', ...run] };
}

/** Words of the command that resumes a run: without a limit on errors, if that is what stopped it. */
export function resumeWords(
  { run, stop }: Pick<Report, 'run' | 'stop'>,
  service: readonly string[] = [],
): readonly string[] {
  const limit = stop?.kind === 'too-many-errors' ? ['--max-errors', '100%'] : [];
  return ['runs', 'resume', shellWord(run), ...service, ...limit];
}

/** Suggests the import into the service after one into the sandbox; nothing after other runs. */
export function afterRehearsal(report: Report, typed: TypedCommand): readonly NextCommand[] {
  const { target, counts, causes } = report;
  if (target === null || !isSandbox(target) || counts.accepted === 0) return [];
  const settled = causes.length === 0 ? 'To' : 'Once everything below is settled, to';
  const why = `${settled} import into the service, with the number of the monitoring there:`;
  const into = ['--monitoring', `${target.monitoring}`, ...typed.state];
  return [asTyped({ why, words: ['import', ...mappedInputs(report, typed), ...into] }, typed)];
}

/** Suggests the next command if the mapping skipped every record, or earlier runs imported them. */
function afterNothingNew(report: Report, typed: TypedCommand): Suggestion {
  const { duplicate } = report.counts;
  return duplicate > 0
    ? { why: 'To list the earlier imports:', words: ['runs', 'list', ...typed.state] }
    : { why: 'To see the skipped records:', words: ['preview', ...mappedInputs(report, typed)] };
}

function rehearsal({ counts, needsAsOf }: Report, mapped: readonly string[]): Suggestion {
  const why =
    counts.invalid === 0
      ? 'Next, rehearse the import (leave out --sandbox to send it to the service):'
      : `To import ${validDocuments(counts.unsent)} (without --sandbox: into the service):`;
  const date = needsAsOf ? ['--as-of', DATE] : [];
  return { why, words: ['import', ...mapped, ...date, '--monitoring', '1', '--sandbox'] };
}

function validDocuments(documents: number): string {
  return documents === 1 ? 'the valid document' : `the ${thousands(documents)} valid documents`;
}

/** File name endings of rejects; those of other formats are JSON lines. */
const REJECTS_ENDINGS: Readonly<Record<string, string>> = {
  csv: 'csv',
  xlsx: 'csv',
  json: 'json',
  xml: 'xml',
};

function invalidToFile({ inputs: [first] }: Report, mapped: readonly string[]): Suggestion {
  const ending = REJECTS_ENDINGS[first?.format ?? 'csv'] ?? 'jsonl';
  const why =
    'To write all invalid records and the reasons to files ({run} becomes the id of the run):';
  return { why, words: ['validate', ...mapped, '--rejects', `invalid-{run}.${ending}`] };
}

/** Kinds that only a whole run finds. */
const ACROSS_RECORDS: ReadonlySet<ProblemKind> = new Set(['duplicate', 'known', 'repeated-id']);

function invalidRecords(report: Report, mapped: readonly string[]): Suggestion {
  const { command, problems } = report;
  if (problems.every(({ kind }) => ACROSS_RECORDS.has(kind))) {
    return invalidToFile(report, mapped);
  }
  const why = 'To see invalid records and their problems';
  const again = 'once fixed, import again; nothing is sent twice';
  return {
    why: command === 'import' ? `${why} (${again}):` : `${why}:`,
    words: ['preview', ...mapped, '--invalid'],
  };
}

/** Shows a record and its document; `undefined` if its file or its mapping can't be typed. */
export function recordCommand(report: MappedInputs, { source, record }: Place): string | undefined {
  const program = programName();
  const words = mappedInputs(report, { ...UNKNOWN, program, inputs: [source] });
  if (report.mappingFile === null || words[0] === 'FILES') return undefined;
  return [program, 'preview', ...words, '--record', `${record}`].join(' ');
}

type MappedInputs = Pick<Report, 'inputs' | 'mappingFile' | 'readingFlags'>;

function mappedInputs(report: MappedInputs, typed: TypedCommand): readonly string[] {
  const names = typed.inputs ?? report.inputs.map(({ name }) => name);
  return [...fileWords(names, typed), ...mappingFlags(report)];
}

function mappingFlags({ mappingFile, readingFlags = [] }: MappedInputs): readonly string[] {
  return ['-m', mappingFile ? fileWord(mappingFile) : 'MAPPING', ...readingFlags];
}

const MAX_FILES = 4;

/** Formats file names for a command, or a placeholder if they can't be typed. */
function fileWords(
  names: readonly string[],
  { maxFiles = MAX_FILES }: TypedCommand,
): readonly string[] {
  const typed = names.every((name) => printable(name) === name && name !== '-');
  if (!typed || names.length === 0 || names.length > maxFiles) return ['FILES'];
  return names.map(fileWord);
}
