/** Hints about a mapping: its open questions, and the day of the export for `--as-of DATE`. */
import { statSync } from 'node:fs';
import type { Report } from '../../report/report.js';
import { log } from '../print.js';

/** Prints the questions that a mapping's file leaves open. */
export async function printOpenQuestions(mapping: string): Promise<void> {
  if (wasPipe(mapping)) return;
  const { questionNotices, readMapping } = await import(
    '../../operations/pipeline/plan-records.js'
  );
  for (const notice of questionNotices(await readMapping(mapping))) log(notice);
}

/** Returns whether a mapping leaves dates out because no day of the export is known. */
export async function isUndated(mapping: string, asOf?: string): Promise<boolean> {
  if (wasPipe(mapping)) return false;
  const { lacksAsOf } = await import('../../operations/pipeline/as-of.js');
  const { readMapping } = await import('../../operations/pipeline/plan-records.js');
  return lacksAsOf({ mapping: await readMapping(mapping), asOf });
}

/** A pipe was read before, and is empty now. */
function wasPipe(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
}

/** Explains DATE, below a command that has it. */
export async function printDateHint(inputs: readonly string[] | Report['inputs']): Promise<void> {
  const { dateHint } = await import('../../operations/pipeline/as-of.js');
  const dated = inputs.map((input) =>
    typeof input === 'string' ? { name: input, modified: changedOn(input) } : input,
  );
  log(dateHint(dated));
}

/** Returns when a file was last changed; `null` for stdin, addresses, globs and archive members. */
function changedOn(input: string): string | null {
  return statSync(input, { throwIfNoEntry: false })?.mtime.toISOString() ?? null;
}
