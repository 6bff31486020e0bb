import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import { previewDocuments, validateDocuments } from '../../src/index.js';
import { minimalMapping } from '../helpers/reviews.js';
import { zipOf } from '../helpers/zip.js';

const HAS_DESCRIPTORS = process.platform === 'linux';

/** For this file alone: others may have copies open in the same process. */
const FOLDER = mkdtempSync(path.join(tmpdir(), 'docferry-test-'));
beforeAll(() => {
  vi.stubEnv('TMPDIR', FOLDER);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(FOLDER, { recursive: true });
});

/** Temporary copies of inputs that are open. */
function openCopies(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(FOLDER) ? [file] : [];
    } catch {
      return [];
    }
  });
}

/** An archive of two exports that comes through a pipe. */
async function archive(row = '1,Nice'): Promise<Readable> {
  const file = `id,text\n${row}\n`;
  return Readable.from([await zipOf({ 'a.csv': file, 'b.csv': file })], { objectMode: false });
}

const mapping = minimalMapping();
const other = { ...mapping, document: { sourceId: '{id}', text: '{review}' } } as const;

it.runIf(HAS_DESCRIPTORS).each<[string, () => Promise<unknown>]>([
  [
    'that was opened and never read, once it is closed',
    async () => {
      for (const source of await openSources(await archive())) source.close();
    },
  ],
  [
    'whose columns are not those of the mapping',
    async () => {
      const run = validateDocuments({ input: await archive(), mapping: other });
      await expect(run).rejects.toThrow('review');
    },
  ],
  [
    'of a run that stops before all of it was read',
    async () => {
      const run = validateDocuments({ input: await archive('1,'), mapping, maxErrors: 0 });
      await expect(run).rejects.toThrow('invalid');
    },
  ],
  [
    'of a preview that is left',
    async () => {
      for await (const _ of previewDocuments({ input: await archive(), mapping })) break;
    },
  ],
])('the temporary copy of an archive %s is closed', async (_, use) => {
  await use();
  await expect.poll(openCopies).toEqual([]);
});
