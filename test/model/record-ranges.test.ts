import { describe, expect, it } from 'vitest';
import { countRecords, recordsOf } from '../../src/model/record-ranges.js';
import { batchOf, documentsOf } from '../helpers/documents.js';

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
