import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { ROOT } from './markdown.js';

/** Any object of the description. */
export interface Node {
  readonly [key: string]: unknown;
}

/** `schemas/openapi.yaml`, read. */
export const OPENAPI = parse(
  readFileSync(path.join(ROOT, 'schemas/openapi.yaml'), 'utf8'),
) as Node & {
  readonly paths: Readonly<Record<string, Node>>;
};

/** The methods that a path of the description may have. */
export const METHODS = ['get', 'post', 'delete', 'put', 'patch', 'head', 'options'] as const;

/**
 * What of an answer is not as the description says, one sentence for each fault; none is good.
 * `called` is the path as called, such as `/5.0/monitorings/3/documents`, with or without a query.
 * An address or a method that is not described may only be refused, with the error object.
 */
export function conformsTo(
  method: string,
  called: string,
  status: number,
  json: unknown,
): string[] {
  const place = responsePlace(method, called, status);
  if (place === undefined) return [`${method} ${called} is not described, but answered ${status}.`];
  const validate = validatorAt([...place, 'content', 'application/json', 'schema']);
  if (validate(json)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const details = JSON.stringify(params);
    return `${method} ${called} ${status}: ${instancePath || 'the body'} ${message} ${details}`;
  });
}

type Place = readonly string[];

const FAILURE: Place = ['components', 'responses', 'Failure'];

function responsePlace(method: string, called: string, status: number): Place | undefined {
  const operation = operationPlace(method, called);
  if (operation === undefined) return status >= 400 ? FAILURE : undefined;
  const responses = at([...operation, 'responses']) as Node;
  const described = String(status) in responses ? String(status) : 'default';
  if (described === 'default' && status < 400) return undefined;
  return referred([...operation, 'responses', described]);
}

/** Where the description of an operation stands; `undefined` if it is not there. */
export function operationPlace(method: string, called: string): Place | undefined {
  const [address = ''] = called.split('?');
  const template = Object.keys(OPENAPI.paths).find((candidate) =>
    new RegExp(`^${candidate.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(
      address,
    ),
  );
  if (template === undefined) return undefined;
  const name = method.toLowerCase();
  return OPENAPI.paths[template]?.[name] ? ['paths', template, name] : undefined;
}

/** Follows a `$ref` that stands at a place. */
function referred(place: Place): Place {
  const { $ref } = at(place) as { $ref?: string };
  return $ref === undefined ? place : placeOf($ref);
}

/** The place that a reference within the description names. */
export function placeOf(reference: string): Place {
  return reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place of the description; `undefined` if nothing does. */
export function at(place: Place): unknown {
  return place.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], OPENAPI);
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
// The whole description is added as if it were one schema, so that references within it resolve.
ajv.addVocabulary(['x-assumption', 'x-expected', 'x-sandbox', ...Object.keys(OPENAPI)]);
ajv.addSchema(OPENAPI, 'openapi');

/** The compiled schema that stands at a place. Throws if it can't be compiled. */
export function validatorAt(place: Place): ValidateFunction {
  const pointer = place.map((key) =>
    encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
  if (!validate) throw new Error(`There is no schema at ${place.join(' > ')}.`);
  return validate;
}
