import { OptionError } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallFile, unreadableReason } from '../../model/small-file.js';
import { checkFaultPlan } from './check-plan.js';
import type { FaultPlan } from './plan.js';

/**
 * Reads and checks a plan of faults in YAML or JSON.
 *
 * @throws OptionError when it can't be read, or with everything that is wrong with it.
 */
export async function loadFaultPlan(file: string): Promise<FaultPlan> {
  return checkFaultPlan(parse(await readText(file), file), file);
}

async function readText(file: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readSmallFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new OptionError(`There is no plan of faults ${file}.`);
    throw new OptionError(`The plan of faults ${file} can't be read (${unreadableReason(error)}).`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new OptionError(`${file}: it is not UTF-8; save it with that encoding.`);
  }
}

/** JSON is a part of YAML. */
function parse(text: string, file: string): unknown {
  const { document, errors } = readYaml(text);
  const [first] = errors;
  if (first !== undefined) throw new OptionError(`${file}:${first.place}: ${first.message}`);
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that multiply what the file holds.
    throw new OptionError(`${file}: ${(error as Error).message}`);
  }
}
