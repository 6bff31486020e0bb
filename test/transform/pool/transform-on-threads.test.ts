import { describe, expect, it } from 'vitest';
import { recordAsRead, recordPlace } from '../../../src/formats/read-records.js';
import { acceptMapping } from '../../../src/mapping/load/load-mapping.js';
import type { BytesChunk } from '../../../src/model/chunk.js';
import {
  type Documents,
  sourceIdsOf,
  type TransformedChunk,
} from '../../../src/model/documents.js';
import { ThreadDiedError } from '../../../src/model/errors.js';
import {
  ThreadPool,
  transformOnThreads,
} from '../../../src/transform/pool/transform-on-threads.js';
import { prestartThreads } from '../../../src/transform/transform-chunks.js';
import type { TransformPlan } from '../../../src/transform/transform-record.js';
import { collect } from '../../helpers/collect.js';
import { eachSample, longTest } from '../../helpers/runs.js';
import { startedThreads } from '../../helpers/worker-threads.js';

const PLAN: TransformPlan = {
  mapping: acceptMapping({ document: { sourceId: '{id}', text: '{text}' } }, 'test'),
  started: '2024-06-03T16:30:00.000Z',
  asOf: undefined,
  validation: { schema: {} },
  sends: true,
  surveys: false,
};
/** All documents have one id. */
const OTHER_PLAN: TransformPlan = {
  ...PLAN,
  mapping: acceptMapping({ document: { sourceId: 'other', text: '{text}' } }, 'other'),
};
const POISONED = {
  file: new URL('poisoned-thread.js', import.meta.url),
  maxHeapMib: 32,
};

const started = startedThreads();

/** A chunk of one record; there are 100 lines to a record, as far as places go. */
function chunkOf(record: number, text: string): BytesChunk {
  const bytes = Buffer.from(`${JSON.stringify({ id: String(record), text })}\n`);
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  const position = { byte: record * 1000, record, line: record * 100 };
  const base = { kind: 'bytes', source: 'r.jsonl', input: 0, records: 1, bytes: own } as const;
  return { ...base, layout: { format: 'jsonl' }, position };
}

/** Counts what is read of it. */
class Reading {
  read = 0;
  readonly #texts: readonly string[];
  readonly #end: () => unknown;

  constructor(texts: readonly string[], end: () => unknown = () => {}) {
    this.#texts = texts;
    this.#end = end;
  }

  async *chunks(): AsyncGenerator<BytesChunk, void, undefined> {
    for (const text of this.#texts) {
      this.read += 1;
      yield chunkOf(this.read, text);
    }
    await this.#end();
  }
}

interface Way {
  readonly threads?: number;
  readonly plan?: TransformPlan;
  readonly signal?: AbortSignal;
  readonly poisoned?: boolean;
}

function transform(
  reading: Reading,
  { threads = 2, plan = PLAN, signal, poisoned = false }: Way = {},
) {
  const place = { threads, signal: signal ?? new AbortController().signal };
  return transformOnThreads(reading.chunks(), plan, place, poisoned ? POISONED : undefined);
}

/** The ids that come before the end, and the error at the end, if there is one. */
async function gather(reading: Reading, way?: Way): Promise<{ ids: unknown[]; error: unknown }> {
  const ids: unknown[] = [];
  try {
    for await (const { documents } of transform(reading, way)) ids.push(...allIds(documents));
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
}

function allIds(documents: Documents): readonly (string | null)[] {
  return sourceIdsOf({ documents, from: 0, to: documents.ends.length });
}

async function all(chunks: AsyncIterable<TransformedChunk>): Promise<Documents[]> {
  return (await collect(chunks)).map(({ documents }) => documents);
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** Long and short texts in turn, so that threads would overtake one another. */
function texts(count: number): string[] {
  return numbers(count).map((number) => number.repeat(Number(number) % 3 === 0 ? 100_000 : 1));
}

describe('transformOnThreads', () => {
  it('gives up bytes that nobody asks for, unless a record would be lost with them', async () => {
    const plan = { ...PLAN, retainBytes: false };
    const noted = (text: string): BytesChunk => ({ ...chunkOf(1, text), recordLines: [102] });
    const isOfRejects = { format: 'jsonl', header: 'rejects' } as const;
    const chunks = [
      noted('café'),
      { ...noted('good'), layout: isOfRejects },
      // Where its record stands would not be known any more.
      chunkOf(1, 'good'),
    ];
    const reading = async function* () {
      yield* chunks;
    };
    const { signal } = new AbortController();
    const left: unknown[] = [];
    for await (const { chunk } of transformOnThreads(reading(), plan, { threads: 1, signal })) {
      if (chunk.kind === 'released') expect(() => recordAsRead(chunk, 0)).toThrow(/given up/);
      left.push([chunk.kind, recordPlace(chunk, 0).line]);
    }
    expect(left).toEqual([
      ['released', 102],
      ['bytes', 102],
      ['bytes', 100],
    ]);
  });

  longTest('reads only a few chunks a thread ahead while nobody takes results', async () => {
    const reading = new Reading(texts(100));
    const results = transform(reading, { threads: 2 });
    await results.next();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reading.read).toBeLessThan(10);
    await results.return();
    expect(reading.read).toBeLessThan(10);
  });

  it('throws what reading throws, behind all that was read', async () => {
    const broken = new Error('the disk is gone');
    const reading = new Reading(texts(20), () => Promise.reject(broken));
    expect(await gather(reading)).toEqual({ ids: numbers(20), error: broken });
  });

  it('ends at once when it is aborted, whatever the threads are at', async () => {
    const controller = new AbortController();
    const reading = new Reading(['good', 'SPIN', 'SPIN']);
    const gathered = gather(reading, { signal: controller.signal, poisoned: true });
    setTimeout(() => controller.abort(new Error('enough')), 300);
    expect(await gathered).toMatchObject({ error: { message: 'enough' } });
  });

  it('ends at once when it is aborted while nothing comes to read', async () => {
    const controller = new AbortController();
    const results = transform(new Reading(['good'], () => new Promise(() => {})), controller);
    await results.next();
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(results.next()).rejects.toThrow('enough');
  });
});

describe('a pool of threads that were started ahead', () => {
  it('takes the plan with the first chunk, and ends when it is stopped', async () => {
    const ahead = await prestartThreads(2, 8 * 2 ** 20);
    await new Promise(setImmediate);
    expect(started).toHaveLength(2);
    const chunks = new Reading(texts(6)).chunks();
    const { signal } = new AbortController();
    const results = await all(
      transformOnThreads(chunks, PLAN, { threads: 2, signal, pool: ahead }),
    );
    expect(results.flatMap(allIds)).toEqual(numbers(6));
    expect(started).toHaveLength(2);
    await ahead?.stop();
    for (const { threadId } of started) expect(threadId).toBe(-1);
  });
});

describe('a pool of threads that are kept', () => {
  it('transforms by another plan when it is asked to', async () => {
    const pool = new ThreadPool(1);
    const { signal } = new AbortController();
    for (const [plan, expected] of [
      [PLAN, numbers(2)],
      [OTHER_PLAN, ['other', 'other']],
      [PLAN, numbers(2)],
    ] as const) {
      const chunks = new Reading(texts(2)).chunks();
      const results = await all(transformOnThreads(chunks, plan, { threads: 1, signal, pool }));
      expect(results.flatMap(allIds)).toEqual(expected);
    }
    await pool.stop();
    expect(started).toHaveLength(1);
  });
});

describe('a thread that dies', () => {
  eachSample(1)([
    ['EXIT', 'it ended with exit code 7'],
    ['THROW', 'thrown outside the transform'],
    ['HOARD', 'it needed more than 32 MiB of memory'],
  ])(
    'of %s loses nothing that came before, and says where it was and why',
    async (word, reason) => {
      const reading = new Reading([...texts(8), `${word} here`, ...texts(8)]);
      const { ids, error } = await gather(reading, { poisoned: true });
      // A thread that dies of a timer may have answered first.
      expect(ids.slice(0, 8)).toEqual(numbers(8));
      expect(error).toBeInstanceOf(ThreadDiedError);
      expect((error as Error).message).toContain(reason);
      if (word === 'THROW') return;
      expect(ids).toHaveLength(8);
      expect((error as Error).message).toContain('r.jsonl, from record 9 on (line 900, byte 9000)');
    },
  );
});
