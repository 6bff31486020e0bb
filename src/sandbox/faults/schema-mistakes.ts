/** Holds a plan of faults against its schema, and says in plain words what does not fit. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { onDemand } from '../../model/on-demand.js';

const ajvPackage = onDemand<typeof import('ajv/dist/2020.js')>('ajv/dist/2020.js');
const levenshtein = onDemand<typeof import('fastest-levenshtein')>('fastest-levenshtein');

/** What is wrong with a plan. */
export interface Mistake {
  /** The rule and the field within it. */
  readonly place: readonly string[];
  /** What was expected, what was found, and the nearest name. */
  readonly message: string;
}

let validate: ValidateFunction | undefined;

/** What the schema finds wrong, rule by rule. */
export function schemaMistakes(value: unknown): readonly Mistake[] {
  validate ??= compileSchema();
  return validate(value) ? [] : inPlainWords(validate.errors ?? []);
}

function compileSchema(): ValidateFunction {
  const schema = createRequire(import.meta.url)('../../../schemas/faults.schema.json');
  const { Ajv2020 } = ajvPackage();
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strictTypes: false });
  ajv.addVocabulary(['x-expected']);
  return ajv.compile(schema);
}

/** The first error of each place, or all unknown names there, which cause most of the others. */
function inPlainWords(errors: readonly ErrorObject[]): readonly Mistake[] {
  const relevant = errors
    // One of several: said once, by the keyword that holds the choice.
    .filter(({ schemaPath, keyword }) => !/\/oneOf\/\d+\//u.test(schemaPath) && keyword !== 'if')
    .toSorted((a, b) => rank(a) - rank(b));
  const firstAt = new Map(relevant.toReversed().map((error) => [error.instancePath, error]));
  return relevant
    .filter((error) => isUnknownName(error) || firstAt.get(error.instancePath) === error)
    .toSorted((a, b) => ruleIndex(a) - ruleIndex(b))
    .map((error) => ({ place: placeOf(error.instancePath), message: explain(error) }));
}

/** What else is wrong with a value of the wrong type says nothing. */
function rank(error: ErrorObject): number {
  if (isUnknownName(error)) return 0;
  return error.keyword === 'type' ? 1 : 2;
}

function isUnknownName({ keyword }: ErrorObject): boolean {
  return keyword === 'additionalProperties';
}

function ruleIndex({ instancePath }: ErrorObject): number {
  return Number(instancePath.split('/')[2] ?? -1);
}

/** `/rules/1/latency/p99` as `rule 2` and `latency.p99`. */
function placeOf(pointer: string): string[] {
  const [top, index, ...field] = pointer.split('/').slice(1);
  if (top === undefined) return [];
  if (top !== 'rules' || index === undefined) return [top];
  const path = field.join('.').replaceAll(/\.(\d+)/g, '[$1]');
  return [`rule ${Number(index) + 1}`, ...(path === '' ? [] : [path])];
}

function explain({ keyword, params, parentSchema, schema, data }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return unknownName(params['additionalProperty'], Object.keys(parentSchema?.['properties']));
    case 'required':
      return `${params['missingProperty']} is missing`;
    case 'dependentRequired':
      return `${params['property']} needs ${params['missingProperty']} beside it`;
    case 'oneOf':
      return oneOfThese(schema as readonly Choice[], data as object);
    default: {
      const names = keyword === 'enum' && typeof data === 'string' ? params['allowedValues'] : [];
      return `expected ${parentSchema?.['x-expected']}, found ${shorten(data)}${didYouMean(data, names)}`;
    }
  }
}

function unknownName(name: string, known: readonly string[]): string {
  const names = known.filter((one) => one !== '$schema');
  return `unknown name ${JSON.stringify(name)}${didYouMean(name, names) || `; known are ${names.join(', ')}`}`;
}

/** A set of names that stand together. */
interface Choice {
  readonly required: readonly string[];
}

/** Of several choices exactly one has to be made. */
function oneOfThese(choices: readonly Choice[], data: object): string {
  const expected = choices.map(({ required }) => required.join(' with ')).join(', ');
  const names = choices.flatMap(({ required }) => required).filter((name) => name in data);
  return `expected exactly one of ${expected}; found ${names.join(', ') || 'none'}`;
}

function didYouMean(name: unknown, known: readonly unknown[]): string {
  const { distance } = levenshtein();
  const [nearest] = known
    .filter((one) => typeof one === 'string')
    .map((one) => ({ one, edits: distance(String(name).toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.edits - b.edits);
  const few = Math.max(2, Math.floor(String(name).length / 3));
  return nearest && nearest.edits <= few ? `, did you mean ${JSON.stringify(nearest.one)}?` : '';
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
