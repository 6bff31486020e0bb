import { expect, it } from 'vitest';
import { Acknowledgements } from '../../../src/delivery/reconciliation/acknowledged.js';
import { batchOf, documentsOf } from '../../helpers/documents.js';

/** Documents whose sourceIds are as long as they may get, so that few batches take all of the memory. */
function largeBatch(number: number) {
  const ids = Array.from({ length: 100 }, (_, at) => `${number}-${at}`.padEnd(1_000, 'x'));
  const documents = documentsOf(ids.map((sourceId) => ({ sourceId })));
  return { batch: batchOf({ documents, from: 0, to: ids.length }), ids };
}

it('remembers all documents of the first requests and of the last ones, as many as fit into memory', () => {
  const acknowledgements = new Acknowledgements();
  const batches = Array.from({ length: 200 }, (_, number) => largeBatch(number));
  for (const [at, { batch }] of batches.entries()) acknowledgements.note(batch, at);
  const remembered = acknowledgements.list();
  const times = remembered.map(({ acknowledgedMs }) => acknowledgedMs);
  const last = batches.length - (remembered.length - 20);
  expect(times).toEqual([...Array(20).keys(), ...[...Array(200).keys()].slice(last)]);
  const bytes = remembered.slice(20).flatMap(({ request }) => request.documents()).length * 1_000;
  expect(bytes).toBeGreaterThan(7e6);
  expect(bytes).toBeLessThan(8 * 2 ** 20);
  const ids = remembered
    .at(-1)
    ?.request.documents()
    .map(({ sourceId }) => sourceId);
  expect(ids).toEqual(batches.at(-1)?.ids);
});
