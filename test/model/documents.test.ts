import { describe, expect, it } from 'vitest';
import { publishedWindow } from '../../src/model/documents.js';
import { batchOf, documentsOf } from '../helpers/documents.js';

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
