import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeedPage } from '../../src/service/resources.js';
import { runs } from '../helpers/runs.js';
import { startTestSandbox, type TestSandbox } from '../helpers/start-sandbox.js';
import { captured } from './documents.js';

test('what is imported while the feed is read comes once, unless it was downloaded earlier', async () => {
  const sandbox = await startTestSandbox();
  let monitoring = 0;
  const steps = fc.array(
    fc.record({
      documents: fc.integer({ min: 1, max: 160 }),
      laterBy: fc.constantFrom(0, 0, 0, 1, 3600),
      pages: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (imports) => {
      monitoring += 1;
      await sandbox.ensureMonitoring(monitoring);
      const sent: string[] = [];
      const seen: string[] = [];
      let cursor: string | undefined;
      let downloaded = Date.parse('2024-05-31T10:00:00Z');
      for (const { documents, laterBy, pages } of imports) {
        downloaded += laterBy * 1000;
        const at = new Date(downloaded).toISOString();
        const batch = captured(
          ...Array.from({ length: documents }, (_, index) => ({
            sourceId: `${sent.length + index}`,
            downloaded: at,
          })),
        );
        await sandbox.capture(monitoring, batch);
        sent.push(...batch.map(({ sourceId }) => sourceId));
        for (let page = 0; page < pages; page += 1) {
          const form = { monitorings: `${monitoring}`, ...(cursor && { cursor }) };
          const { documents: found, nextCursor } = await read(sandbox, form);
          seen.push(...found.map(({ sourceId }) => sourceId));
          cursor = nextCursor;
        }
      }
      const form = { monitorings: `${monitoring}`, ...(cursor && { cursor }) };
      const rest = (await walk(sandbox, form)).flatMap(({ documents }) => documents);
      seen.push(...rest.map(({ sourceId }) => sourceId));
      expect(seen).toEqual(sent);
    }),
    { numRuns: runs(15) },
  );
});

/** Reads on until nothing remains. */
async function walk(sandbox: TestSandbox, form: Record<string, string>): Promise<FeedPage[]> {
  const pages: FeedPage[] = [];
  for (let at = form; ; at = { ...form, cursor: pages.at(-1)!.nextCursor }) {
    pages.push(await read(sandbox, at));
    if (pages.at(-1)!.remaining === 0) return pages;
  }
}

async function read({ call }: TestSandbox, form: Record<string, string>): Promise<FeedPage> {
  const { status, body } = await call('POST', '/documents/feed', { form });
  expect([status, body.errors]).toEqual([200, undefined]);
  return body;
}
