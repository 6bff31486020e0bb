import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AcknowledgedDocument,
  compareAcknowledged,
} from '../../../src/delivery/reconciliation/compare-acknowledged.js';
import { runs } from '../../helpers/runs.js';
import { SimulatedService } from './simulated-service.js';

const published = '2024-05-01T10:00:00Z';
const settings = { giveUpMs: 0, examples: 2 };

async function* inTurn(...sent: AcknowledgedDocument[]): AsyncGenerator<AcknowledgedDocument> {
  yield* sent;
}

const sent = (sourceId: string | null, at: string | null = published) => ({
  sourceId,
  published: at === null ? null : { from: at, to: at },
});

describe('compareAcknowledged', () => {
  it('finds what is missing, and what is there twice', async () => {
    const service = new SimulatedService({ pageSize: 2 });
    for (const id of ['a', 'b', 'b', 'x', 'y', 'z']) service.apply(id);
    service.apply('a', { source: 'TWT' });
    // Within the padding of the window only.
    service.apply('w', { published: '2024-05-01T20:00:00Z' });
    const acknowledged = inTurn(sent('c'), sent('b'), sent('a'), sent(null), sent('A'));
    expect(await compareAcknowledged(acknowledged, settings, service.port)).toEqual({
      compared: 4,
      withoutId: 1,
      incomplete: null,
      missing: ['c', 'A'],
      duplicate: ['b'],
    });
  });

  it('finds all again that was stored, however pages are cut and capped', async () => {
    const times = fc
      .integer({ min: 0, max: 5_000 })
      .map((minute) => new Date(Date.parse(published) + minute * 60_000).toISOString());
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ at: times, copies: fc.integer({ min: 0, max: 3 }) }), {
          maxLength: 80,
          selector: ({ at }) => at,
        }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 10, max: 100 }),
        fc.constantFrom('empty', 'refused', 'broken', 'total' as const),
        async (all, pageSize, reach, beyond) => {
          const service = new SimulatedService({ pageSize, reach, beyond });
          for (const [number, { at, copies }] of all.entries()) {
            for (let copy = 0; copy < copies; copy += 1)
              service.apply(`d${number}`, { published: at });
          }
          const acknowledged = inTurn(...all.map(({ at }, number) => sent(`d${number}`, at)));
          const waiting = { ...settings, giveUpMs: 10_000 };
          const found = await compareAcknowledged(acknowledged, waiting, service.port);
          const ids = (holds: (copies: number) => boolean) =>
            [...all.entries()].filter(([, { copies }]) => holds(copies)).map(([at]) => `d${at}`);
          expect(found).toMatchObject({
            incomplete: null,
            missing: ids((copies) => copies === 0),
            duplicate: ids((copies) => copies > 1),
          });
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
