import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { importDocuments, learnExpectations } from '../../src/index.js';
import { PROBLEM_KINDS } from '../../src/model/record.js';
import { STOP_KINDS } from '../../src/outcomes/stop-conditions.js';
import { newFolder } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { reportWith } from './fixtures.js';

const root = path.resolve(import.meta.dirname, '../..');

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly additionalProperties?: unknown;
}

const schema = JSON.parse(
  readFileSync(path.join(root, 'schemas/report.schema.json'), 'utf8'),
) as Node;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
const errorsOf = (report: unknown) => (validate(report) ? [] : validate.errors);

/** Only or not in reports of earlier versions. */
const OPTIONAL: ReadonlySet<string> = new Set([
  ...['version', 'docferry', 'started', 'ended', 'timeZone', 'mappingFingerprint'],
  ...[
    'openQuestions',
    'skips',
    'earlier',
    'fills',
    'sources',
    'modified',
    'value',
    'tags',
    'locations',
    'overTime',
    'months',
    'inFuture',
    'ahead',
    'remembered',
    'needsAsOf',
    'readingFlags',
    'stateFlags',
    'meanScore',
    'sentiments',
    'languages',
    'fixedIn',
    'httpStatus',
  ],
]);

/** Every object in a schema, by its path, but for those whose keys are names of one's own. */
function objectsIn(node: unknown, at = ''): readonly (readonly [string, Node])[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'properties' in node ? [[at, node as Node] as const] : [];
  return [
    ...own,
    ...Object.entries(node).flatMap(([key, inner]) => objectsIn(inner, `${at}/${key}`)),
  ];
}

const MAPPING = minimalMapping({
  text: 'Good',
  metrics: { score: { from: 'score', number: '.' as const } },
});

function rowOf(id: number, score: number | string): object {
  return { id: String(id), score };
}

describe('the schema of the report', () => {
  it('describes every field, and takes no other and no fewer', () => {
    for (const [place, { properties = {}, required = [], ...node }] of objectsIn(schema)) {
      const keys = Object.keys(properties);
      const always = keys.filter((key) => !OPTIONAL.has(key));
      expect(required.filter((key) => !OPTIONAL.has(key)).toSorted(), place).toEqual(
        always.toSorted(),
      );
      expect(node.additionalProperties, place).toBe(false);
      expect(
        keys.filter((key) => !properties[key]?.description),
        place,
      ).toEqual([]);
    }
  });

  it('takes the report of an import with all of its sections', async () => {
    const good = Array.from({ length: 60 }, (_, id) => rowOf(id, 1 + (id % 5)));
    const expects = await learnExpectations({ input: good, mapping: MAPPING });
    const report = await importDocuments({
      stateDir: false,
      input: [...good.map((_, id) => rowOf(id, 1 + (id % 10))), rowOf(99, 'many')],
      mapping: { ...MAPPING, expects },
      ...{ monitoring: 1, connection: await startWithMonitoring(), throwOn: 'never' },
      ...{ acceptDrift: true, survey: true, rejects: path.join(newFolder(), 'bad.jsonl') },
    });
    expect(report).toMatchObject({ drift: [{}], rejects: [{}], problems: [{ examples: [{}] }] });
    expect(report).toMatchObject({ coverage: { metrics: { score: {} } }, delivery: {} });
    expect(errorsOf(report)).toEqual([]);
  });

  it('names the kinds of problems and of stops that the types and the documentation name', () => {
    const { stop, problems } = schema.properties ?? {};
    expect(stop?.anyOf?.[1]?.properties?.['kind']?.enum).toEqual(STOP_KINDS);
    expect(problems?.items?.properties?.['kind']).toEqual({
      $ref: '#/$defs/problemKind',
      description: expect.any(String),
    });
    expect(schema.$defs?.['problemKind']?.enum).toEqual(PROBLEM_KINDS);
    const page = readFileSync(path.join(root, 'docs/report.md'), 'utf8');
    const named = [...page.matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining([...STOP_KINDS, ...PROBLEM_KINDS]));
    // What the schema doesn't name it refuses.
    const odd = { kind: 'odd', message: 'odd' };
    expect(errorsOf({ ...reportWith({ status: 'stopped' }), stop: odd })).not.toEqual([]);
  });

  it('takes the example in the documentation', () => {
    const page = readFileSync(path.join(root, 'docs/report.md'), 'utf8');
    const example = /```json\n(\{\n[\s\S]*?)```/.exec(page)?.[1];
    expect(errorsOf(JSON.parse(example ?? ''))).toEqual([]);
  });
});
