import { OptionError } from '../../../model/errors.js';
import { checkOutput } from '../../../outputs/check-output.js';
import {
  isSameFile,
  modeOf,
  OutputError,
  placeOf,
  writeOutput,
} from '../../../outputs/output-file.js';
import { isStdout, print } from '../../print.js';

/** A mapping that a command is to write. */
interface MappingOutput {
  /** `-` for stdout. */
  readonly file: string;
  readonly force: boolean;
  /** Files that the command reads. */
  readonly inputs: readonly string[];
  /** The mapping that it changes, which may be that file. */
  readonly changes?: string;
}

/**
 * Makes sure, before the work is done, that a mapping can be written and costs no file that is there.
 * @returns what writes it: whole or not at all
 * @throws OptionError
 */
export function mappingOutput(output: MappingOutput): (text: string) => void {
  const { file, force, changes } = output;
  if (isStdout(file)) return (text) => print(text.trimEnd());
  const isChanged = changes !== undefined && isSameFile(file, changes);
  const mayReplace = force || isChanged;
  const remedy = 'name another file with -o, or write over it with --force';
  const inputs = isChanged ? output.inputs : [...output.inputs, ...(changes ? [changes] : [])];
  checkOutput({ path: file, what: 'mapping', mayReplace, remedy }, { inputs });
  // A link to a mapping is to stay one.
  return (text) => writeMapping(placeOf(file), text, mayReplace);
}

function writeMapping(file: string, text: string, mayReplace: boolean): void {
  try {
    writeOutput(file, text, { mode: modeOf(file), mayReplace: () => mayReplace });
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new OptionError(error.message);
  }
}
