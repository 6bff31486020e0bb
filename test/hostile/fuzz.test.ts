/** Real files with mistakes in them, byte by byte. `npm run soak` goes through a million. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DocferryError, MappingError, type Report, validateDocuments } from '../../src/index.js';
import { loadMapping, parseMapping } from '../../src/mapping/load-mapping.js';
import type { Mapping } from '../../src/mapping/mapping.js';
import { ROOT } from '../helpers/markdown.js';
import { randomFrom } from '../helpers/random-from.js';
import { cases } from '../helpers/runs.js';
import { forSeeds } from '../helpers/seeds.js';
import { inPieces } from '../source/read-all.js';
import { mutate } from './mutate.js';

/** How many inputs one seed draws. */
const A_SEED = 100;
const HOURS = 3_600_000;
const TIMEOUT_MS = process.env['DOCFERRY_SOAK'] === undefined ? 60_000 : 12 * HOURS;

const read = (name: string): Buffer => readFileSync(path.join(ROOT, name));
/** The start of a file, up to the end of a line. */
const startOf = (name: string): Buffer => {
  const bytes = read(name);
  return bytes.subarray(0, bytes.indexOf('\n', 4_000) + 1);
};

const hotels = startOf('samples/hotel-reviews.csv');
const apps = startOf('samples/app-reviews.jsonl');
const list = Buffer.from(`{"data":[${apps.toString().trim().split('\n').join(',\n')}]}`);

interface Seed {
  readonly bytes: Uint8Array;
  readonly mapping: string;
  readonly records?: string;
}

const SEEDS: readonly Seed[] = [
  { bytes: hotels, mapping: 'hotel-reviews' },
  { bytes: Buffer.from(`\ufeff${hotels}`, 'utf16le'), mapping: 'hotel-reviews' },
  { bytes: gzipSync(hotels), mapping: 'hotel-reviews' },
  { bytes: Buffer.concat([gzipSync(hotels), gzipSync(hotels)]), mapping: 'hotel-reviews' },
  { bytes: apps, mapping: 'app-reviews' },
  { bytes: gzipSync(apps), mapping: 'app-reviews' },
  { bytes: list, mapping: 'app-reviews', records: 'data' },
];
const others = SEEDS.map(({ bytes }) => bytes);

async function outcome(
  seed: Seed,
  bytes: Uint8Array,
  random: () => number,
): Promise<Report | DocferryError> {
  const mapping = await mappingOf(seed.mapping);
  const input = inPieces(bytes, random() < 0.2 ? 7 : 1 + Math.floor(random() * 9_000));
  const source = {
    ...(seed.records === undefined ? {} : { records: seed.records }),
    ...(random() < 0.3 ? { chunkBytes: 64, maxRecordBytes: 300 } : {}),
  };
  try {
    return await validateDocuments({ input, mapping, source, threads: 0, asOf: '2026-01-01' });
  } catch (error) {
    if (error instanceof DocferryError) return error;
    throw error;
  }
}

const mappings = new Map<string, Promise<Mapping>>();
function mappingOf(name: string): Promise<Mapping> {
  const known = mappings.get(name) ?? loadMapping(path.join(ROOT, `mappings/${name}.yaml`));
  mappings.set(name, known);
  return known;
}

function expectSound(result: Report | DocferryError): void {
  if (result instanceof DocferryError) {
    expect([2, 4]).toContain(result.exitCode);
    expect(result.message).not.toMatch(/\n {4}at |undefined|\[object/);
    return;
  }
  const { read: all, skipped, invalid, duplicate, unsent } = result.counts;
  expect(all).toBe(skipped + invalid + duplicate + unsent);
  expect([0, 1, 4]).toContain(result.exitCode);
  expect(JSON.stringify(result)).not.toMatch(/\\n {4}at |This is a bug/);
}

describe('mutated files', () => {
  it('keep the sum, end in time and crash nothing', { timeout: TIMEOUT_MS }, async () => {
    await forSeeds(cases(5, 10_000), 1, async (number) => {
      const random = randomFrom(number);
      let good = 0;
      for (let index = 0; index < A_SEED; index += 1) {
        const seed = SEEDS[Math.floor(random() * SEEDS.length)] as Seed;
        const bytes = mutate(seed.bytes, others, random);
        const before = process.cpuUsage();
        const result = await outcome(seed, bytes, random);
        const { user, system } = process.cpuUsage(before);
        // Of the processor's time, in microseconds: what else goes on on the machine doesn't count.
        expect(user + system).toBeLessThan(1_000_000);
        expectSound(result);
        if (!(result instanceof DocferryError)) good += result.counts.unsent;
      }
      // Most files lose a few records only.
      expect(good).toBeGreaterThan(100);
    });
  });

  it('of mappings are told by a MappingError, or are mappings', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const texts = ['hotel-reviews', 'app-reviews'].map((name) => read(`mappings/${name}.yaml`));
    await forSeeds(cases(3, 2_000), 1, async (number) => {
      const random = randomFrom(number);
      for (let index = 0; index < A_SEED; index += 1) {
        const text = texts[Math.floor(random() * texts.length)] as Buffer;
        const bytes = Buffer.from(mutate(text, texts, random));
        try {
          parseMapping(bytes.toString('utf8'), 'm.yaml');
        } catch (error) {
          expect(error).toBeInstanceOf(MappingError);
        }
      }
    });
  });
});
