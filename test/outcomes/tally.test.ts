import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES, type Place, type Problem, type ProblemKind } from '../../src/model/record.js';
import { Tally } from '../../src/outcomes/tally.js';
import { checkSum } from '../../src/report/report.js';
import { countsWith } from '../report/fixtures.js';

const at = (record: number, source = 'a.csv'): Place => ({ source, record, line: record + 1 });
const problem = (kind: ProblemKind, field: string | null = null): Problem => ({
  kind,
  field,
  message: `${field} is wrong`,
});

describe('the tally', () => {
  it('counts what was read and what became of it', () => {
    const tally = new Tally();
    tally.read(10);
    tally.settle('accepted', 7);
    tally.settle('invalid');
    tally.settle('skipped', 2);
    tally.settle('unsent', 0);
    expect(tally.counts()).toEqual(countsWith({ read: 10, accepted: 7, invalid: 1, skipped: 2 }));
  });

  it('hands out counts that later records do not change', () => {
    const tally = new Tally();
    const before = tally.counts();
    tally.read(1);
    expect(before.read).toBe(0);
  });

  it('groups problems by kind, the most frequent first, with a count for each field', () => {
    const tally = new Tally();
    tally.problem(at(1), problem('missing-field', 'url'));
    tally.problem(at(1), problem('ragged'));
    tally.problem(at(2), problem('missing-field', 'text'));
    tally.problem(at(3), problem('missing-field', 'text'));
    tally.problem(at(4), problem('blank', 'tags[3]'));
    tally.problem(at(4), problem('blank', 'tags[12]'));
    const groups = tally.problems();
    expect(groups.map(({ kind, count }) => [kind, count])).toEqual([
      ['missing-field', 3],
      ['blank', 2],
      ['ragged', 1],
    ]);
    expect(Object.entries(groups[0]!.fields)).toEqual([
      ['text', 2],
      ['url', 1],
    ]);
    expect(groups[1]!.fields).toEqual({ 'tags[]': 2 });
    expect(groups[1]!.examples.map(({ field }) => field)).toEqual(['tags[3]', 'tags[12]']);
    expect(groups[2]!.fields).toEqual({});
  });

  it('keeps five examples, from different fields if it can, the first of each', () => {
    const tally = new Tally();
    for (let record = 1; record <= 9; record += 1)
      tally.problem(at(record), problem('ragged', 'a'));
    tally.problem(at(10), problem('ragged', 'b'));
    tally.problem(at(11), problem('ragged', 'b'));
    tally.problem(at(12), problem('ragged', 'c'));
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

  it('names every field that an object can have', () => {
    const tally = new Tally();
    tally.problem(at(1), problem('ragged', '__proto__'));
    expect(Object.keys(tally.problems()[0]!.fields)).toEqual(['__proto__']);
  });

  it('does not grow with the number of field names', () => {
    const tally = new Tally();
    for (let n = 0; n < 1000; n += 1) tally.problem(at(n + 1), problem('ragged', `field ${n}`));
    const [group] = tally.problems();
    expect(group!.count).toBe(1000);
    expect(Object.keys(group!.fields).length).toBeLessThanOrEqual(101);
    expect(group!.fields['other fields']).toBe(900);
  });

  it('lists examples in the order of the sources it was given', () => {
    const tally = new Tally(['10.csv', '2.csv']);
    for (const source of ['new.csv', '2.csv', '10.csv']) {
      tally.problem(at(1, source), problem('ragged'));
    }
    const sources = tally.problems()[0]!.examples.map(({ source }) => source);
    expect(sources).toEqual(['10.csv', '2.csv', 'new.csv']);
  });

  it('says the same in whatever order problems arrive', () => {
    const entry = fc.record({
      place: fc.record({
        source: fc.constantFrom('a.csv', 'b.csv'),
        record: fc.integer({ min: 1, max: 30 }),
      }),
      kind: fc.constantFrom('ragged', 'blank'),
      field: fc.constantFrom(null, 'a', 'b', 'c', 'tags[0]'),
    });
    const entries = fc.uniqueArray(entry, { selector: (e) => JSON.stringify(e), maxLength: 80 });
    const shuffled = entries.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    const groups = (
      list: readonly {
        place: { source: string; record: number };
        kind: ProblemKind;
        field: string | null;
      }[],
    ) => {
      const tally = new Tally();
      for (const { place, kind, field } of list) {
        tally.problem({ ...place, line: null }, problem(kind, field));
      }
      return JSON.stringify(tally.problems());
    };
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(groups(other)).toBe(groups(one));
      }),
    );
  });
});

describe('the check sum', () => {
  it('holds exactly when every record that was read has an outcome', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }), (figures) => {
        const tally = new Tally();
        for (const [index, outcome] of OUTCOMES.entries()) tally.settle(outcome, figures[index]!);
        tally.read(figures.reduce((sum, figure) => sum + figure, 0));
        expect(checkSum(tally.counts())).toBe(true);
        tally.read(1);
        expect(checkSum(tally.counts())).toBe(false);
      }),
    );
  });
});
