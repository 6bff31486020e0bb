import { OptionError } from '../../model/errors.js';
import type { FaultPlan, Latency } from './plan.js';
import { type Mistake, schemaMistakes } from './schema-mistakes.js';

/**
 * Checks what was read from a file or given by a program. The plan it gives back is a copy.
 *
 * @param name what messages call the plan, such as the name of its file
 * @throws OptionError with a line for each mistake: `name, rule 2, rate: …`
 */
export function checkFaultPlan(value: unknown, name: string): FaultPlan {
  const mistakes = [...schemaMistakes(value)];
  if (mistakes.length === 0) mistakes.push(...orderMistakes(value as FaultPlan));
  if (mistakes.length === 0) return structuredClone(value) as FaultPlan;
  const lines = mistakes.map(({ place, message }) => `${[name, ...place].join(', ')}: ${message}`);
  throw new OptionError(lines.join('\n'));
}

/** What a schema can't say: durations in the wrong order. */
function orderMistakes({ rules }: FaultPlan): Mistake[] {
  return rules.flatMap((rule, index) => {
    const message = 'latency' in rule ? orderMistake(rule.latency) : undefined;
    return message === undefined ? [] : [{ place: [`rule ${index + 1}`, 'latency'], message }];
  });
}

function orderMistake(latency: Latency): string | undefined {
  if ('p99' in latency && latency.p99 < latency.median) {
    return `expected a p99 that is not below the median, found ${latency.p99} below ${latency.median}`;
  }
  if ('to' in latency && latency.to < latency.from) {
    return `expected a to that is not below from, found ${latency.to} below ${latency.from}`;
  }
  return undefined;
}
