import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBatches } from '../../../src/delivery/batches.js';
import {
  type Batch,
  batchOf,
  type DocumentRange,
  rangeBytes,
} from '../../../src/model/documents.js';
import { CODE_POINT } from '../../helpers/code-point.js';
import { collect } from '../../helpers/collect.js';
import { documentsOf } from '../../helpers/documents.js';

describe('cutBatches', () => {
  it('keeps every document once, in order, within both bounds, and fills batches greedily', async () => {
    const chunks = fc.array(
      fc.array(fc.string({ maxLength: 30, unit: CODE_POINT }), { maxLength: 8 }),
    );
    const limits = fc.record({
      documents: fc.integer({ min: 1, max: 9 }),
      bytes: fc.integer({ min: 1, max: 300 }),
    });
    await fc.assert(
      fc.asyncProperty(chunks, limits, async (texts, limit) => {
        const batches = await collect(cutBatches(rangesOf(texts), limit));
        const bodies = batches.map(bodyOf);
        expect(bodies.flatMap((body) => JSON.parse(body).documents.map(textOf))).toEqual(
          texts.flat(),
        );
        for (const [at, body] of bodies.entries()) {
          const batch = batches[at]!;
          expect(batch.count).toBe(JSON.parse(body).documents.length);
          expect(batch.count).toBeLessThanOrEqual(limit.documents);
          expect(batch.bytes).toBe(Buffer.byteLength(body) - '{"documents":[]}'.length);
          if (batch.count > 1) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limit.bytes);
        }
        for (const [at, batch] of batches.slice(0, -1).entries()) {
          const next = JSON.parse(bodies[at + 1]!).documents[0];
          const larger =
            Buffer.byteLength(bodies[at]!) + 1 + Buffer.byteLength(JSON.stringify(next));
          expect(batch.count === limit.documents || larger > limit.bytes).toBe(true);
        }
      }),
    );
  });

  it('leaves out documents that a range leaves out', async () => {
    const documents = documentsOf(['a', 'b', 'c', 'd'].map((text) => ({ text })));
    const ranges: DocumentRange[] = [
      { documents, from: 0, to: 1 },
      { documents, from: 2, to: 4 },
    ];
    const [batch] = await collect(cutBatches(asStream(ranges), { documents: 10, bytes: 1000 }));
    expect(JSON.parse(bodyOf(batch!)).documents.map(textOf)).toEqual(['a', 'c', 'd']);
  });

  it('lets documents wait no longer because batches pass through', async () => {
    const one = (text: string) => ({ documents: documentsOf([{ text }]), from: 0, to: 1 });
    async function* slow(): AsyncGenerator<DocumentRange | Batch> {
      yield one('waits');
      for (let at = 0; at < 20; at += 1) {
        await sleep(30);
        yield batchOf([one('passes')]);
      }
    }
    const limits = { documents: 10, bytes: 1000, flushMs: 100 };
    const batches = await collect(cutBatches(slow(), limits));
    const order = batches.map((batch) => textOf(JSON.parse(bodyOf(batch)).documents[0]));
    expect(order).toHaveLength(21);
    expect(order.at(-1)).toBe('passes');
  });
});

async function* rangesOf(chunks: readonly (readonly string[])[]): AsyncGenerator<DocumentRange> {
  for (const texts of chunks) {
    const documents = documentsOf(texts.map((text) => ({ text })));
    if (texts.length > 0) yield { documents, from: 0, to: texts.length };
  }
}

async function* asStream<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

function bodyOf(batch: Batch): string {
  const pieces = batch.ranges.map((range) => Buffer.from(rangeBytes(range)).toString('utf8'));
  return `{"documents":[${pieces.join(',')}]}`;
}

function textOf(document: { text: string }): string {
  return document.text;
}
