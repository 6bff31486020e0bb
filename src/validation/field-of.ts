import type { ErrorObject } from 'ajv/dist/2020.js';

/** The document's field that an error is about, such as `metrics[0].value`; `null` for the whole. */
export function fieldOf({ instancePath, params }: ErrorObject): string | null {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named = namedBelow(params);
  if (named !== undefined) steps.push(named);
  return steps.length === 0 ? null : steps.map(written).join('');
}

/** The field that is missing or too many: ajv reports it at the object around it. */
function namedBelow(params: Readonly<Record<string, unknown>>): string | undefined {
  const name =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName'];
  return typeof name === 'string' ? name : undefined;
}

function written(step: string, index: number): string {
  if (/^\d+$/.test(step)) return `[${step}]`;
  return index === 0 ? step : `.${step}`;
}
