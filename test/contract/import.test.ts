import { describe, expect } from 'vitest';
import type { Document, ImportedDocument } from '../../src/api/index.js';
import { ALWAYS, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/** Every field that the reference names. */
const COMPLETE: ImportedDocument = {
  source: 'RVW',
  sourceId: 'r-1',
  parentSourceId: null,
  text: 'Muy buena atención 👍\n¡Volveré!',
  language: 'es',
  sentiment: 'B',
  detectedLocations: ['country: España', 'city: Sevilla'],
  published: '2024-05-31T10:30:00+02:00',
  downloaded: '2024-06-01T00:00:00Z',
  url: 'https://reviews.example.com/1?a=b&c=d',
  metrics: [
    { name: 'score', value: 9.5 },
    { name: 'likes', value: 3 },
  ],
  tags: ['summer'],
  author: {
    source: 'RVW',
    sourceId: 'u-1',
    username: 'María',
    annotations: [{ name: 'stay', value: 'Family' }],
  },
};

const { parentSourceId: _, tags: __, ...WITHOUT_OPTIONAL } = COMPLETE;

const service = serviceWith(async (sandbox) => {
  for (let id = 1; id <= 20; id += 1) await sandbox.ensureMonitoring(id);
});

/** Each case has a monitoring of its own. */
let last = 0;
function fresh(): number {
  last += 1;
  return last;
}

/** What shows; the reference allows the service a short time. */
async function shown(monitoring: number, count: number): Promise<readonly Document[]> {
  for (let attempt = 0; ; attempt += 1) {
    const page = await service.client.documents.page({ monitorings: monitoring, ...ALWAYS });
    if (page.documents.length >= count || attempt === 20) return page.documents;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const importInto = (monitoring: number, ...documents: ImportedDocument[]) =>
  service.client.importDocuments(monitoring, documents);

describe('import', () => {
  rule('import.shows', 'soon after, the documents show in POST /documents', async () => {
    const monitoring = fresh();
    const answer = await importInto(monitoring, COMPLETE, { ...WITHOUT_OPTIONAL, sourceId: 'r-2' });
    expect(answer).toEqual({ accepted: true, documents: 2 });
    expect(keysOf(await shown(monitoring, 2)).toSorted()).toEqual(['r-1', 'r-2']);
  });

  rule('import.json', 'it takes JSON, and nothing else', async () => {
    const body = JSON.stringify({ documents: [COMPLETE] });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/5.0/monitorings/${fresh()}/documents`;
    expectRefusal(await service.call('POST', path, { body, headers }));
  });

  rule('import.missing', 'into a monitoring that is not there it is an error', async () => {
    const json = { documents: [COMPLETE] };
    expectRefusal(await service.call('POST', '/5.0/monitorings/999999/documents', { json }));
  });
});

describe('import / fields', () => {
  const import1 = async (document: ImportedDocument): Promise<Document> => {
    const monitoring = fresh();
    await importInto(monitoring, document);
    return (await shown(monitoring, 1))[0]!;
  };

  const once = lazily(() => import1(COMPLETE));
  rule('import.fields', 'each field shows as it was sent', async () => {
    const {
      published,
      downloaded,
      tags,
      author: { annotations, ...author } = {},
      ...fields
    } = COMPLETE;
    expect(await once()).toMatchObject({ ...fields, author });
  });

  const times = { published: Date.UTC(2024, 4, 31, 8, 30), downloaded: Date.UTC(2024, 5, 1) };
  for (const [field, time] of Object.entries(times)) {
    rule('import.field.times', `${field} is the moment that was sent`, async () => {
      expect(Date.parse((await once())[field] as string)).toBe(time);
    });
  }

  rule(
    'import.parentSourceId',
    'with a parentSourceId it is a reply to that document',
    async () => {
      const monitoring = fresh();
      const reply = { ...COMPLETE, sourceId: 'reply', parentSourceId: 'r-1' };
      await importInto(monitoring, COMPLETE, reply);
      const documents = await shown(monitoring, 2);
      const id = documents.find(({ sourceId }) => sourceId === 'r-1')!.id;
      const context = await service.client.context.page(id);
      expect(context.documents).toMatchObject([
        { sourceId: 'r-1', parentId: null },
        { sourceId: 'reply', parentSourceId: 'r-1', parentId: id },
      ]);
    },
  );

  rule('import.tags', 'with tags it is found by them', async () => {
    const monitoring = fresh();
    await importInto(monitoring, COMPLETE, { ...COMPLETE, sourceId: 'r-2', tags: ['winter'] });
    await shown(monitoring, 2);
    const query = { monitorings: monitoring, ...ALWAYS, tags: ['winter'] };
    expect(keysOf((await service.client.documents.page(query)).documents)).toEqual(['r-2']);
  });
});

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

describe('import / failure', () => {
  const wrong = { source: 1, published: 'yesterday', sentiment: 'X', metrics: 'many', text: 7 };
  for (const [field, value] of Object.entries(wrong)) {
    rule('import.failure', `${field}: ${JSON.stringify(value)} is an error object`, async () => {
      const documents = [COMPLETE, { ...COMPLETE, sourceId: 'r-2', [field]: value }];
      const path = '/5.0/monitorings/20/documents';
      expectRefusal(await service.call('POST', path, { json: { documents } }));
      const page = await service.client.documents.page({ monitorings: 20, ...ALWAYS });
      expect(page.total).toBe(0);
    });
  }
});
