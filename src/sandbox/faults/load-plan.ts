import { OptionError } from '../../model/errors.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { type KeyPath, pathText } from '../../validation/explain-errors.js';
import { schemaMistakes } from '../../validation/schemas.js';
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
  if (first !== undefined) {
    const { place, message } = first;
    throw new OptionError(`${file}:${place.line}:${place.column}: ${message}`);
  }
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that multiply what the file holds.
    throw new OptionError(`${file}: ${(error as Error).message}`);
  }
}

/**
 * Checks what was read from a file or given by a program. The plan it gives back is a copy.
 *
 * @param name what messages call the plan, such as the name of its file
 * @throws OptionError with a line for each mistake: `name, rule 2, rate is …`
 */
export function checkFaultPlan(value: unknown, name: string): FaultPlan {
  const mistakes = schemaMistakes('faults', value);
  if (mistakes.length === 0) return structuredClone(value) as FaultPlan;
  const lines = mistakes.map(({ path, says }) => `${[name, ...placeOf(path)].join(', ')} ${says}`);
  throw new OptionError(lines.join('\n'));
}

/** `rules[1].latency.p99` as `rule 2` and `latency.p99`. */
function placeOf([top, index, ...field]: KeyPath): readonly string[] {
  if (top === undefined) return [];
  if (top !== 'rules' || index === undefined) return [String(top)];
  return [`rule ${Number(index) + 1}`, ...(field.length === 0 ? [] : [pathText(field)])];
}
