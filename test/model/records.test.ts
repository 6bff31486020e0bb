import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordStates } from '../../src/model/record-ranges.js';
import { runs } from '../helpers/runs.js';

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
});
