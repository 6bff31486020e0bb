import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportedDocument } from '../../src/model/document.js';
import { runs } from '../helpers/runs.js';
import { type Answer, startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS, filledIn, imported } from './documents.js';

// Any JavaScript string: NULs, lone surrogates, controls.
const text = fc.string({ unit: 'binary', maxLength: 20 });
const day = { min: new Date('2024-05-30T00:00:00Z'), max: new Date('2024-06-02T00:00:00Z') };
// Whole minutes are common, so that documents stand on the edges of windows and on each other.
const moment = fc
  .tuple(fc.date({ ...day, noInvalidDate: true }), fc.boolean())
  .map(([date, whole]) => date.toISOString().replace(whole ? /:\d\d\.\d+Z/ : 'none', ':00.000Z'));
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const document: fc.Arbitrary<ImportedDocument> = fc.record(
  {
    source: fc.constant('RVW'),
    sourceId: text.filter((id) => id !== ''),
    text,
    parentSourceId: fc.option(text),
    language: text,
    sentiment: fc.constantFrom('B', 'N', 'R'),
    detectedLocations: fc.array(text, { maxLength: 2 }),
    published: moment,
    downloaded: moment,
    url: text,
    metrics: fc.array(fc.record({ name: text, value: number }), { maxLength: 2 }),
    tags: fc.array(text, { maxLength: 2 }),
    author: fc.record(
      {
        source: fc.constantFrom('RVW', 'TWT'),
        sourceId: text,
        username: text,
        annotations: fc.array(fc.record({ name: text, value: text }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['source', 'sourceId', 'text', 'published'] },
);

const calls = fc.array(
  fc.record({
    monitoring: fc.integer({ min: 1, max: 3 }),
    documents: fc.array(document, { minLength: 1, maxLength: 8 }),
  }),
  { maxLength: 4 },
);

test('what was imported, paging gives back exactly, field by field', async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (imports) => {
      const sandbox = await importAll(imports);
      try {
        const found = await findAll(sandbox, { monitorings: '1,2,3', ...ALWAYS });
        const expected = newestFirst(imports).map((one) => ({
          monitoring: one.monitoring,
          document: filledIn(one.document),
        }));
        const back = found.map((answered) => ({
          monitoring: answered.monitoring,
          document: imported(answered),
        }));
        expect(back).toEqual(expected);
      } finally {
        await sandbox.close();
      }
    }),
    { numRuns: runs(50) },
  );
});

interface Import {
  readonly monitoring: number;
  readonly documents: readonly ImportedDocument[];
}

interface Imported {
  readonly monitoring: number;
  readonly document: ImportedDocument;
}

async function importAll(imports: readonly Import[]): Promise<TestSandbox> {
  const sandbox = await startTestSandbox({ pageSize: 5 });
  for (const id of [1, 2, 3]) await sandbox.ensureMonitoring(id);
  for (const { monitoring, documents } of imports) {
    const path = `/monitorings/${monitoring}/documents`;
    const { body } = await sandbox.call('POST', path, { json: { documents } });
    expect(body).toEqual({ accepted: true, documents: documents.length });
  }
  return sandbox;
}

/** Follows `offset` until a page comes back empty. */
// biome-ignore lint/suspicious/noExplicitAny: documents straight from an answer.
async function findAll({ call }: TestSandbox, form: Record<string, string>): Promise<any[]> {
  const found = [];
  for (;;) {
    const offset = String(found.length);
    const { body }: Answer = await call('POST', '/documents', { form: { ...form, offset } });
    if (body.documents.length === 0) {
      expect(body.total).toBe(found.length);
      return found;
    }
    found.push(...body.documents);
  }
}

/** The order of the API: by publication, and what was imported later first among equals. */
function newestFirst(imports: readonly Import[]): Imported[] {
  return imports
    .flatMap(({ monitoring, documents }) => documents.map((one) => ({ monitoring, document: one })))
    .reverse()
    .sort((one, other) => {
      const [a, b] = [one.document.published!, other.document.published!];
      return a === b ? 0 : a < b ? 1 : -1;
    });
}
