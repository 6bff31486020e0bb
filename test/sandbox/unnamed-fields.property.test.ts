import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../helpers/runs.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';
import { ALWAYS, filledIn, imported, review } from './documents.js';

/** Fields that a captured document has and an imported one has not, and some that nothing has. */
const DOCUMENT_FIELDS = [
  ...['title', 'imageUrl', 'citedLocations', 'lat', 'lon', 'reviewers', 'id', 'monitoring'],
  ...['parentId', 'colour', '__proto__', 'toString'],
];
const AUTHOR_FIELDS = [
  ...['name', 'authorUrl', 'imageUrl', 'isVerified', 'personalUrl', 'about', 'declaredLocation'],
  ...['authorLocations', 'metrics', 'tags', 'id', 'colour', '__proto__'],
];

const stray = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });

const calls = fc.array(
  fc.record({
    more: stray(DOCUMENT_FIELDS),
    author: fc.option(stray(AUTHOR_FIELDS)),
    knownAs: fc.constantFrom('u-1', undefined),
  }),
  { minLength: 1, maxLength: 4 },
);

test('fields that an import does not have are passed over, whatever they hold', async () => {
  const sandbox = await startTestSandbox();
  let monitoring = 0;
  await fc.assert(
    fc.asyncProperty(calls, async (documents) => {
      monitoring += 1;
      await sandbox.ensureMonitoring(monitoring);
      const named = documents.map(({ author, knownAs }, index) =>
        review(`r-${index}`, {
          published: '2024-05-31T10:00:00Z',
          ...(author && { author: { annotations: [], ...(knownAs && { sourceId: knownAs }) } }),
        }),
      );
      // As text: an object with a field "__proto__" can't be written any other way.
      const all = named.map((document, index) => {
        const { more, author } = documents[index]!;
        const person = document.author && merged(document.author, author);
        return merged({ ...document, author: undefined }, more, person && `"author":${person}`);
      });
      const json = `{"documents":[${all.join()}]}`;
      const answer = await sandbox.call('POST', `/monitorings/${monitoring}/documents`, {
        body: json,
        headers: { 'content-type': 'application/json' },
      });
      expect(answer.body).toEqual({ accepted: true, documents: documents.length });

      const form = { monitorings: `${monitoring}`, ...ALWAYS };
      const { body } = await sandbox.call('POST', '/documents', { form });
      expect(body.documents.map(imported)).toEqual(named.map(filledIn).toReversed());
      for (const document of body.documents) {
        expect(document).toMatchObject({
          title: null,
          imageUrl: null,
          lat: null,
          lon: null,
          monitoring,
        });
        expect(document).toMatchObject({ citedLocations: [], author: { name: '', about: '' } });
        expect(document.author).toMatchObject({ isVerified: false, metrics: [] });
        expect(document.author).not.toHaveProperty('personalUrl');
      }
      const reviewed = { ...form, contributors: '1,2,3', authorTags: '1,2,3' };
      expect((await sandbox.call('POST', '/documents', { form: reviewed })).body.total).toBe(0);
    }),
    { numRuns: runs(25) },
  );
});

/** The JSON text of an object with more fields, which need not be fields of an object literal. */
function merged(object: object, more: object | null, last?: string): string {
  const texts = [object, more ?? {}].map((each) => JSON.stringify(each).slice(1, -1));
  return `{${[...texts, last ?? ''].filter((text) => text !== '').join()}}`;
}
