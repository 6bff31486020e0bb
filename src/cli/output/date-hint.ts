/** The day of the export, which only the user knows, in suggested commands: `--as-of DATE`. */
import { statSync } from 'node:fs';
import type { Report } from '../../report/report.js';
import { log } from '../print.js';

/** Returns whether a mapping leaves dates out because no day of the export is known. */
export async function isUndated(mapping: string, asOf?: string): Promise<boolean> {
  // A pipe was read before, and is empty now.
  if (statSync(mapping, { throwIfNoEntry: false })?.isFile() === false) return false;
  const { lacksAsOf } = await import('../../operations/pipeline/as-of.js');
  const { readMapping } = await import('../../operations/pipeline/plan-records.js');
  return lacksAsOf({ mapping: await readMapping(mapping), asOf });
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
