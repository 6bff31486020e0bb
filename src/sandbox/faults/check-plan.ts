import { OptionError } from '../../model/errors.js';
import { type KeyPath, pathText } from '../../validation/explain-errors.js';
import { schemaMistakes } from '../../validation/shipped-schemas.js';
import type { FaultPlan, Latency } from './plan.js';

interface Mistake {
  readonly path: KeyPath;
  /** What is wrong with what the path names, and what was expected. */
  readonly says: string;
}

/**
 * Checks what was read from a file or given by a program. The plan it gives back is a copy.
 *
 * @param name what messages call the plan, such as the name of its file
 * @throws OptionError with a line for each mistake: `name, rule 2, rate is …`
 */
export function checkFaultPlan(value: unknown, name: string): FaultPlan {
  const mistakes: Mistake[] = [...schemaMistakes('faults', value)];
  if (mistakes.length === 0) mistakes.push(...orderMistakes(value as FaultPlan));
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

/** What a schema can't say: durations in the wrong order. */
function orderMistakes({ rules }: FaultPlan): readonly Mistake[] {
  return rules.flatMap((rule, index) => {
    const says = 'latency' in rule ? orderMistake(rule.latency) : undefined;
    return says === undefined ? [] : [{ path: ['rules', index, 'latency'], says }];
  });
}

function orderMistake(latency: Latency): string | undefined {
  if ('p99' in latency && latency.p99 < latency.median) {
    return `has a p99 of ${latency.p99}; expected one that is not below the median, ${latency.median}`;
  }
  if ('to' in latency && latency.to < latency.from) {
    return `has a to of ${latency.to}; expected one that is not below from, ${latency.from}`;
  }
  return undefined;
}
