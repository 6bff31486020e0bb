import { OptionError } from '../../model/errors.js';
import type { KeyPath } from '../../model/json-path.js';
import { readYaml } from '../../model/read-yaml.js';
import { readSmallText } from '../../model/small-file.js';
import { pathText } from '../../validation/explain-errors.js';
import { schemaMistakes } from '../../validation/schemas.js';
import type { FaultPlan } from './plan.js';

/**
 * Reads and checks a fault plan in YAML or JSON.
 *
 * @throws OptionError if the file can't be read, or with all mistakes in it
 */
export async function loadFaultPlan(file: string): Promise<FaultPlan> {
  const text = readSmallText(file, (reason, missing) => {
    const message = missing
      ? `There is no fault plan ${file}.`
      : `The fault plan ${file} ${reason}.`;
    return new OptionError(message);
  });
  return checkFaultPlan(parse(text, file), file);
}

/** Parses YAML, and so JSON. */
function parse(text: string, file: string): unknown {
  const { document, errors } = readYaml(text);
  const [first] = errors;
  if (first !== undefined) {
    const { line, column, message } = first;
    throw new OptionError(`${file}:${line}:${column}: ${message}`);
  }
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that expand too far.
    throw new OptionError(`${file}: ${(error as Error).message}`);
  }
}

/**
 * Checks a plan from a file or a program, and returns a copy of it.
 *
 * @param name name of the plan in messages, for example its file name
 * @throws OptionError with a line for each mistake: `name, rule 2, rate is …`
 */
export function checkFaultPlan(value: unknown, name: string): FaultPlan {
  const mistakes = schemaMistakes('faults', value);
  if (mistakes.length === 0) return structuredClone(value) as FaultPlan;
  const lines = mistakes.map(
    ({ path, predicate }) => `${[name, ...mistakePlace(path)].join(', ')} ${predicate}`,
  );
  throw new OptionError(lines.join('\n'));
}

/** Turns `rules[1].latency.p99` into `rule 2` and `latency.p99`. */
function mistakePlace([top, index, ...field]: KeyPath): readonly string[] {
  if (top === undefined) return [];
  if (top !== 'rules' || index === undefined) return [String(top)];
  return [`rule ${Number(index) + 1}`, ...(field.length === 0 ? [] : [pathText(field)])];
}
