import { printable, shellWord } from '../model/text.js';
import type { Report } from './report.js';

/** Suggestion after a run. Words in capitals are placeholders. */
export interface NextCommand {
  readonly why: string;
  readonly command: string;
}

export function nextCommand(report: Report): NextCommand {
  return report.command === 'import' ? afterImport(report) : afterValidation(report);
}

function afterValidation({ exitCode, inputs, rejects }: Report): NextCommand {
  const files = wordsOf(inputs.map(({ name }) => name));
  if (exitCode === 0) {
    const command = `docferry import ${files} --mapping MAPPING --monitoring ID`;
    return { why: 'Next, import them:', command };
  }
  const validate = `docferry validate ${files} --mapping MAPPING`;
  if (exitCode !== 1) return { why: 'To validate all of it:', command: validate };
  if (rejects.length > 0)
    return { why: 'Once the mapping fits, validate again:', command: validate };
  const command = `${validate} --rejects invalid-{run}.csv`;
  return { why: 'To write the invalid records and the reasons to files:', command };
}

function afterImport({ run, exitCode, counts, rejects, target, ...report }: Report): NextCommand {
  if (exitCode === 3) {
    return {
      why: 'List the monitorings that these credentials can access:',
      command: 'docferry monitorings list',
    };
  }
  if (counts.unknown > 0) {
    const why = 'To settle the unknown outcomes, without sending anything:';
    return { why, command: `docferry runs resolve ${shellWord(run)}` };
  }
  if (report.resumable && counts.unsent > 0) {
    return { why: 'To send what is left:', command: `docferry runs resume ${shellWord(run)}` };
  }
  if (rejects.length > 0) {
    const files = wordsOf(rejects.map(({ file }) => file));
    const into = `--mapping MAPPING --monitoring ${target?.monitoring ?? 'ID'}`;
    return {
      why: 'Fix the rejects, and import them again:',
      command: `docferry import ${files} ${into}`,
    };
  }
  if (counts.rejected > 0) {
    const why = 'To send the rejected documents again:';
    return { why, command: `docferry runs retry ${shellWord(run)}` };
  }
  const why = 'To compare what was sent with what the service shows:';
  return { why, command: `docferry verify ${shellWord(run)}` };
}

/** With more file names a command becomes unreadable. */
const MAX_WORDS = 4;

/** Formats file names for a command, or a placeholder if they can't be typed. */
function wordsOf(names: readonly string[]): string {
  const typed = names.every((name) => printable(name) === name && !name.startsWith('-'));
  if (!typed || names.length === 0 || names.length > MAX_WORDS) return 'FILES';
  return names.map(shellWord).join(' ');
}
