import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { publishedWindow } from '../../src/model/documents.js';
import { countRecords, RecordStates, recordsOf } from '../../src/model/record-ranges.js';
import { batchOf, documentsOf } from '../helpers/documents.js';
import { runs } from '../helpers/runs.js';

const objects = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ sourceId: `${id}` }));

describe('recordsOf', () => {
  it('joins neighbours across chunks, and keeps gaps as gaps', () => {
    const first = documentsOf(objects(3), 1);
    const second = documentsOf(objects(4), 4);
    const batch = batchOf(
      { documents: first, from: 1, to: 3 },
      { documents: second, from: 0, to: 1 },
      { documents: second, from: 2, to: 4 },
    );
    const records = recordsOf(batch);
    expect(records).toEqual([
      { input: 0, from: 2, to: 4 },
      { input: 0, from: 6, to: 7 },
    ]);
    expect(countRecords(records)).toBe(batch.count);
  });
});

const INPUTS = 2;
const RECORDS = 30;

const assignments = fc.array(
  fc.record({
    input: fc.integer({ min: 0, max: INPUTS - 1 }),
    from: fc.integer({ min: 1, max: RECORDS }),
    length: fc.integer({ min: 0, max: 12 }),
    state: fc.constantFrom('a', 'b', 'c'),
  }),
  { maxLength: 40 },
);

describe('RecordStates', () => {
  it('says what a table with a place for every record says', () => {
    fc.assert(
      fc.property(assignments, (all) => {
        const states = new RecordStates<string>();
        const table = Array.from({ length: INPUTS }, () => new Map<number, string>());
        for (const { input, from, length, state } of all) {
          states.set({ input, from, to: from + length }, state);
          for (let record = from; record <= from + length; record += 1) {
            table[input]?.set(record, state);
          }
        }
        for (let input = 0; input < INPUTS; input += 1) {
          for (let record = 0; record <= RECORDS + 13; record += 1) {
            expect(states.get(input, record)).toBe(table[input]?.get(record));
          }
        }
        const told = [...states.entries()].flatMap(([{ input, from, to }, state]) =>
          Array.from({ length: to - from + 1 }, (_, at) => [input, from + at, state]),
        );
        const expected = table.flatMap((records, input) =>
          [...records]
            .toSorted(([a], [b]) => a - b)
            .map(([record, state]) => [input, record, state]),
        );
        expect(told).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('says nothing of an input that it was never told of', () => {
    const states = new RecordStates<string>();
    states.set({ input: 3, from: 1, to: 2 }, 'a');
    expect(states.get(1, 1)).toBeUndefined();
    expect([...states.entries()]).toEqual([[{ input: 3, from: 1, to: 2 }, 'a']]);
  });
});

const whole = (objects: readonly Record<string, unknown>[]) => {
  const documents = documentsOf(objects);
  return batchOf({ documents, from: 0, to: objects.length });
};

describe('publishedWindow', () => {
  it('gives the first and the last moment, in whatever order they come', () => {
    const moments = ['2024-03-01T00:00:00Z', '2023-12-31T23:59:59Z', '2024-02-01T00:00:00Z'];
    const batch = whole(moments.map((published, id) => ({ sourceId: `${id}`, published })));
    expect(publishedWindow(batch)).toEqual({
      from: '2023-12-31T23:59:59.000Z',
      to: '2024-03-01T00:00:00.000Z',
    });
  });

  it('goes by the moment, not by how it is written', () => {
    const moments = ['2024-03-01T01:30:00+02:00', '2024-03-01T00:00:00Z'];
    const batch = whole(moments.map((published, id) => ({ sourceId: `${id}`, published })));
    expect(publishedWindow(batch)).toEqual({
      from: '2024-02-29T23:30:00.000Z',
      to: '2024-03-01T00:00:00.000Z',
    });
  });

  it('gives no window as soon as one document says no moment, though the next one does', () => {
    const published = '2024-03-01T00:00:00Z';
    expect(publishedWindow(whole([{ sourceId: '1' }, { sourceId: '2', published }]))).toBeNull();
    expect(publishedWindow(whole([{ sourceId: '1', published }, { sourceId: '2' }]))).toBeNull();
  });
});
