import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  OUTCOMES,
  type Outcome,
  type Place,
  type Problem,
  type ProblemKind,
} from '../../src/model/record.js';
import { Tally } from '../../src/outcomes/tally.js';
import { runs } from '../helpers/runs.js';

const at = (record: number, source = 'a.csv'): Place => ({ source, record, line: record + 1 });
const problem = (kind: ProblemKind, field: string | null = null): Problem => ({
  kind,
  field,
  message: `${field} is wrong`,
});

describe('the tally', () => {
  it('counts the records of each input, which add up to those of all', () => {
    const told = fc.tuple(fc.nat(3), fc.constantFrom('read' as const, ...OUTCOMES), fc.nat(9));
    fc.assert(
      fc.property(fc.array(told), (list) => {
        const tally = new Tally();
        for (const [input, figure, records] of list) {
          tally.add(input, figure, records);
        }
        const counts = [0, 1, 2, 3].map((input) => tally.countsOf(input));
        for (const figure of ['read', ...OUTCOMES] as const) {
          const sums = [0, 1, 2, 3].map((at) =>
            list.reduce((sum, [i, f, n]) => sum + (i === at && f === figure ? n : 0), 0),
          );
          expect(counts.map((each) => each[figure])).toEqual(sums);
          expect(tally.counts()[figure]).toBe(sums.reduce((sum, n) => sum + n, 0));
        }
      }),
    );
  });

  it('keeps five examples, from different fields if it can, the first of each', () => {
    const tally = new Tally();
    for (let record = 1; record <= 9; record += 1)
      tally.addProblems(at(record), [problem('ragged', 'a')]);
    tally.addProblems(at(10), [problem('ragged', 'b')]);
    tally.addProblems(at(11), [problem('ragged', 'b')]);
    tally.addProblems(at(12), [problem('ragged', 'c')]);
    const examples = tally.problems()[0]!.examples;
    expect(examples.map(({ record, field }) => `${field}${record}`)).toEqual([
      'a1',
      'a2',
      'b10',
      'b11',
      'c12',
    ]);
    expect(examples[0]).toEqual({ ...at(1), field: 'a', message: 'a is wrong' });
  });
});

/** A record of one of these sources, and all that a tally is told of it. */
interface ToldRecord {
  readonly place: Place;
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

const SOURCES = ['b.csv', 'a.csv', 'c.csv'];
/** Those that a tally isn't told of come last. */
const order = [...SOURCES, 'another.csv', 'unnamed.csv'];

function tallyOf(records: readonly ToldRecord[]): Tally {
  const tally = new Tally(SOURCES);
  for (const { place, outcome, problems } of records) {
    const input = order.indexOf(place.source);
    tally.add(input, 'read', 1);
    tally.add(input, outcome, 1);
    tally.addProblems(place, problems);
    if (outcome === 'unknown')
      tally.addUnknown(place.source, { from: place.record, to: place.record });
  }
  return tally;
}

/** What one tally says that was told everything in another process. */
function mergedOf(parts: readonly (readonly ToldRecord[])[]): Tally {
  const merged = new Tally(SOURCES);
  for (const part of parts) {
    const snapshot = tallyOf(part).snapshot();
    const sent = JSON.parse(JSON.stringify(snapshot)) as typeof snapshot;
    expect(sent).toEqual(snapshot);
    merged.merge(sent);
  }
  return merged;
}

const said = (tally: Tally) =>
  JSON.stringify([
    tally.counts(),
    order.map((_, input) => tally.countsOf(input)),
    tally.problems(),
    tally.unknownRecords(),
  ]);

const toldRecords = fc
  .uniqueArray(
    fc.record({
      place: fc.record({
        source: fc.constantFrom(...SOURCES, 'unnamed.csv', 'another.csv'),
        record: fc.integer({ min: 1, max: 40 }),
        line: fc.constantFrom(null, 7),
      }),
      outcome: fc.constantFrom(...OUTCOMES, 'unknown' as const),
      problems: fc.array(
        fc.record({
          kind: fc.constantFrom<ProblemKind>('ragged', 'blank', 'rejected'),
          field: fc.constantFrom(null, 'a', 'b', 'c', 'tags[0]', 'tags[12]', '__proto__'),
          message: fc.constantFrom('one', 'two', 'a lone \ud800', 'a null \u0000'),
        }),
        { maxLength: 4 },
      ),
    }),
    { selector: ({ place }) => `${place.record} ${place.source}`, maxLength: 80 },
  )
  .map((records) => records.toSorted(inReadingOrder));

const inReadingOrder = (a: ToldRecord, b: ToldRecord) =>
  order.indexOf(a.place.source) - order.indexOf(b.place.source) || a.place.record - b.place.record;

/** The same records in any order, dealt out to a few tallies. */
const dealt = toldRecords.chain((records) =>
  fc.tuple(
    fc.constant(records),
    fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
    fc.array(fc.nat(4), { minLength: records.length, maxLength: records.length }),
  ),
);

describe('merged tallies', () => {
  it('say what one tally says that was told everything, however records are dealt out', () => {
    fc.assert(
      fc.property(dealt, ([records, shuffled, parts]) => {
        const split = [4, 0, 3, 1, 2].map((n) => shuffled.filter((_, at) => parts[at] === n));
        expect(said(mergedOf(split))).toBe(said(tallyOf(records)));
      }),
      { numRuns: runs(400) },
    );
  });
});
