import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import {
  AUTHOR_RANKINGS,
  DOC_RANKINGS,
  DOCUMENT_SOURCES,
  LANGUAGES,
  MAX_FEED_DOCUMENTS,
  MAX_RANKED_AUTHORS,
  MAX_TITLE_CHARACTERS,
  SEARCH_SOURCES,
  SENTIMENTS,
  STATUSES,
} from '../../src/service/codes.js';
import {
  at,
  conformsTo,
  METHODS,
  type Node,
  OPENAPI,
  operationPlace,
  placeOf,
  validatorAt,
} from '../helpers/openapi.js';

/** All that the reference lists, path ids aside. */
const OPERATIONS = [
  ...['GET /5.0/monitorings', 'POST /5.0/monitorings', 'GET /5.0/monitorings/{monitoring-id}'],
  ...['POST /5.0/monitorings/{monitoring-id}/title'],
  ...['POST /5.0/monitorings/{monitoring-id}/searches'],
  ...['DELETE /5.0/monitorings/{monitoring-id}/searches/{search-ids}'],
  ...['POST /5.0/monitorings/{monitoring-id}/documents'],
  ...['POST /5.0/documents', 'GET /5.0/documents', 'POST /5.0/documents/feed'],
  ...['GET /5.0/documents/feed', 'POST /5.0/documents/{document-id}/context'],
  ...['POST /5.0/authors', 'GET /5.0/authors', 'POST /5.0/indicators', 'GET /5.0/indicators'],
  ...['POST /5.0/chart', 'GET /5.0/chart'],
  ...['GET /4.0/monitorings', 'GET /4.0/documents', 'GET /4.0/authors', 'GET /4.0/indicators'],
];
const OPTIONAL_FILTERS = [
  ...['sources', 'viewSource', 'query', 'authorName', 'authorAbout', 'sentiments', 'languages'],
  ...['tags', 'ignoreTags', 'tagExpression', 'authors', 'authorTags', 'onlyVerifiedAuthors'],
  ...['onlyWithPersonalUrl', 'contributors'],
];
const FILTERS = ['monitorings', 'start', 'end', ...OPTIONAL_FILTERS];
const FILTERING: Readonly<Record<string, readonly string[]>> = {
  '/5.0/documents': [...FILTERS, 'docRanking', 'offset'],
  '/5.0/documents/feed': [...FILTERS, 'cursor'],
  '/5.0/authors': [...FILTERS, 'authorRanking', 'offset'],
  '/5.0/indicators': FILTERS,
  '/5.0/chart': FILTERS,
};

const FORM = ['requestBody', 'content', 'application/x-www-form-urlencoded'];
const operations = Object.entries(OPENAPI.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method]).map((method) => ({
    name: `${method.toUpperCase()} ${path}`,
    place: ['paths', path, method],
    operation: item[method] as Node,
  })),
);

describe('the description of the API', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate(structuredClone(OPENAPI) as never);
    expect(result.errors ?? []).toEqual([]);
    expect(OPENAPI['openapi']).toMatch(/^3\.1\./);
  });

  it('has a target for every reference, and uses every component', () => {
    const references = new Set(
      [...nodes(OPENAPI)].flatMap(({ node }) =>
        typeof node['$ref'] === 'string' ? [node['$ref']] : [],
      ),
    );
    expect(references.size).toBeGreaterThan(50);
    for (const reference of references) expect(at(placeOf(reference)), reference).toBeDefined();
    for (const group of ['parameters', 'responses', 'schemas']) {
      for (const name of Object.keys(at(['components', group]) as Node)) {
        expect([...references], name).toContain(`#/components/${group}/${name}`);
      }
    }
  });

  it('has the operations of the reference, and no others', () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual(OPERATIONS.toSorted());
    const ids = operations.map(({ operation }) => operation['operationId']);
    expect(new Set(ids).size).toBe(OPERATIONS.length);
  });

  it.each(operations)('$name asks for credentials, can be pretty, and can fail', (entry) => {
    const { operation, place } = entry;
    expect(operation['security'] ?? OPENAPI['security']).toEqual([{ basic: [] }]);
    expect(parametersOf(place).map(({ name }) => name)).toContain('pretty');
    const responses = operation['responses'] as Node;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', 'default']));
    const takesInput = operation['requestBody'] || parametersOf(place).length > 1;
    if (takesInput && !entry.name.startsWith('GET /5.0/monitorings')) {
      expect(responses).toHaveProperty('400');
    }
    for (const [status, response] of Object.entries(responses)) {
      if (status === '200') continue;
      const { $ref } = response as { $ref: string };
      const schema = at([...placeOf($ref), 'content', 'application/json', 'schema']);
      expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
    }
  });

  it.each(Object.entries(FILTERING))(
    '%s takes its filters as a form and in the address',
    (path, names) => {
      const form = propertiesOf([...operationPlace('POST', path)!, ...FORM, 'schema']);
      expect(Object.keys(form).toSorted()).toEqual(names.toSorted());
      const address = parametersOf(['paths', path, 'get']).map(({ name }) => name);
      expect(address.toSorted()).toEqual([...names, 'pretty'].toSorted());
    },
  );

  it('writes every list with commas, in forms and in addresses', () => {
    const filters = propertiesOf(['components', 'schemas', 'Filters']);
    const lists = Object.keys(filters)
      .filter(
        (name) => typeAt(['components', 'schemas', 'Filters', 'properties', name]) === 'array',
      )
      .toSorted();
    expect(lists.length).toBe(9);
    for (const path of Object.keys(FILTERING)) {
      const encoding = at([...operationPlace('POST', path)!, ...FORM, 'encoding']) as Node;
      expect(Object.keys(encoding).toSorted()).toEqual(lists);
      const joined = parametersOf(['paths', path, 'get']).filter(
        ({ explode }) => explode === false,
      );
      expect(joined.map(({ name }) => name).toSorted()).toEqual(lists);
      for (const written of [...Object.values(encoding), ...joined]) {
        expect(written).toMatchObject({ style: 'form', explode: false });
      }
    }
  });

  it('knows the codes, rankings and limits that client and sandbox know', () => {
    const values = (...place: string[]) => at(['components', 'schemas', ...place]);
    expect(values('NewSearch', 'properties', 'source', 'enum')).toEqual([...SEARCH_SOURCES]);
    expect(values('KnownSource', 'enum')).toEqual([...DOCUMENT_SOURCES]);
    expect(values('Language', 'enum')).toEqual([...LANGUAGES]);
    expect(values('Sentiment', 'enum')).toEqual([...SENTIMENTS]);
    expect(values('Status', 'enum')).toEqual([...STATUSES]);
    expect(values('Title', 'maxLength')).toBe(MAX_TITLE_CHARACTERS);
    expect(values('DocRanking', 'enum')).toEqual(['interactions', ...Object.keys(DOC_RANKINGS)]);
    expect(values('AuthorRanking', 'enum')).toEqual(Object.keys(AUTHOR_RANKINGS));
    expect(values('FeedPage', 'properties', 'documents', 'maxItems')).toBe(MAX_FEED_DOCUMENTS);
    expect(values('AuthorsPage', 'properties', 'authors', 'maxItems')).toBe(MAX_RANKED_AUTHORS);
  });
});

describe('the schemas of the description', () => {
  const places = [
    ...Object.keys(at(['components', 'schemas']) as Node).map((name) => [
      ...['components', 'schemas', name],
    ]),
    ...[...nodes(OPENAPI)]
      .filter(({ node, place }) => 'schema' in node && place[0] !== 'components')
      .map(({ place }) => [...place, 'schema']),
    ...Object.keys(at(['components', 'parameters']) as Node).map((name) => [
      ...['components', 'parameters', name, 'schema'],
    ]),
  ];

  it.each(places.map((place) => [place.join(' '), place] as const))('compile: %s', (_, place) => {
    expect(validatorAt(place)).toBeTypeOf('function');
  });

  it('fit their own examples', () => {
    const withExamples = [
      ...nodes(at(['components', 'schemas']), ['components', 'schemas']),
    ].filter(({ node }) => Array.isArray(node['examples']));
    expect(withExamples.length).toBeGreaterThan(8);
    for (const { node, place } of withExamples) {
      const validate = validatorAt(place);
      for (const example of node['examples'] as unknown[]) {
        expect(validate(example), `${place.join(' ')}: ${JSON.stringify(example)}`).toBe(true);
      }
    }
  });

  it('let unknown fields pass', () => {
    for (const { node, place } of nodes(OPENAPI)) {
      for (const closing of ['additionalProperties', 'unevaluatedProperties', 'propertyNames']) {
        expect(node, place.join(' ')).not.toHaveProperty(closing);
      }
    }
  });
});

describe('whether an answer is as described', () => {
  // What is right is seen on every answer of the contract suite.
  it.each<[string, string, string, number, unknown]>([
    ['a missing list', 'GET', '/5.0/monitorings', 200, {}],
    ['a day that is none', 'POST', '/5.0/chart', 200, { chart: [{ date: 'May', documents: 1 }] }],
    ['an error without messages', 'POST', '/5.0/documents', 400, { errors: [] }],
    ['a success that is not described', 'POST', '/5.0/documents', 201, {}],
    ['success at an unknown address', 'GET', '/6.0/nothing', 200, {}],
  ])('finds %s', (_, method, path, status, json) => {
    expect(conformsTo(method, path, status, json)).not.toEqual([]);
  });
});

/** Every object below a value, with its place. */
function* nodes(
  value: unknown,
  place: readonly string[] = [],
): Generator<{ node: Node; place: readonly string[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield { node: value as Node, place };
  for (const [key, child] of Object.entries(value)) yield* nodes(child, [...place, key]);
}

/** An operation's parameters with those of its path, references followed. */
function parametersOf(place: readonly string[]): (Node & { name: string })[] {
  const item = at(place.slice(0, 2)) as { parameters?: Node[] };
  const { parameters = [] } = at(place) as { parameters?: Node[] };
  return [...(item.parameters ?? []), ...parameters].map((parameter) => {
    const { $ref } = parameter;
    const followed = typeof $ref === 'string' ? at(placeOf($ref)) : parameter;
    return followed as Node & { name: string };
  });
}

/** All properties of a schema, references and `allOf` followed. */
function propertiesOf(place: readonly string[]): Node {
  const {
    $ref,
    allOf = [],
    properties,
  } = at(place) as {
    $ref?: string;
    allOf?: Node[];
    properties?: Node;
  };
  const parts = allOf.map((_, index) => propertiesOf([...place, 'allOf', String(index)]));
  return Object.assign({}, $ref ? propertiesOf(placeOf($ref)) : {}, ...parts, properties);
}

function typeAt(place: readonly string[]): unknown {
  const { type, $ref } = at(place) as { type?: string; $ref?: string };
  return $ref ? typeAt(placeOf($ref)) : type;
}
