import { OptionError } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { checkFaultPlan } from './check-plan.js';
import type { FaultPlan } from './plan.js';

/**
 * Reads and checks a plan of faults in YAML or JSON.
 *
 * @throws OptionError when it can't be read, or with everything that is wrong with it.
 */
export async function loadFaultPlan(file: string): Promise<FaultPlan> {
  const text = await readSmallText(file, (reason, missing) => {
    const message = missing
      ? `There is no plan of faults ${file}.`
      : `The plan of faults ${file} ${reason}.`;
    return new OptionError(message);
  });
  return checkFaultPlan(parse(text, file), file);
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
