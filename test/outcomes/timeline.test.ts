import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_POINTS, Timeline, type TimelinePoint } from '../../src/outcomes/timeline.js';
import { runs } from '../helpers/runs.js';

/** Something that happens in a run that starts at {@link START}, and whom it is told to. */
type Fact = readonly [who: number, kind: 'read' | 'accepted' | 'requests', atMs: number, n: number];

const START = 1_700_000_000_000;

const fact = (lastMs: number): fc.Arbitrary<Fact> =>
  fc.tuple(
    fc.nat(2),
    fc.constantFrom('read' as const, 'accepted' as const, 'requests' as const),
    fc.nat(lastMs),
    fc.nat(5_000),
  );
/** Short runs, and some of days. */
const facts = fc
  .constantFrom(2_000, 600_000, 300_000_000)
  .chain((lastMs) => fc.array(fact(lastMs), { maxLength: 600 }));

function tell(timeline: Timeline, [, kind, atMs, n]: Fact): void {
  const now = START + atMs;
  if (kind === 'requests') timeline.requested(now, now + n);
  else timeline.add(now, { [kind]: n });
}

function timelineOf(list: readonly Fact[]): Timeline {
  const timeline = new Timeline(START);
  for (const one of list) tell(timeline, one);
  return timeline;
}

const sum = (points: readonly TimelinePoint[], figure: (point: TimelinePoint) => number): number =>
  points.reduce((total, point) => total + figure(point), 0);

describe('the timeline', () => {
  it('counts everything once, in at most 240 spans that do not overlap', () => {
    fc.assert(
      fc.property(facts, (list) => {
        const points = timelineOf(list).points();
        expect(points.length).toBeLessThanOrEqual(MAX_POINTS);
        const told = (kind: Fact[1], figure: (told: Fact) => number) =>
          list.reduce((total, one) => total + (one[1] === kind ? figure(one) : 0), 0);
        expect(sum(points, ({ read }) => read)).toBe(told('read', ([, , , n]) => n));
        expect(sum(points, ({ accepted }) => accepted)).toBe(told('accepted', ([, , , n]) => n));
        expect(sum(points, ({ requests }) => requests)).toBe(told('requests', () => 1));
        const busyMs = sum(points, ({ inFlight, spanMs }) => inFlight * spanMs);
        const roundedMs = sum(points, ({ spanMs }) => spanMs / 200);
        expect(Math.abs(busyMs - told('requests', ([, , , n]) => n))).toBeLessThanOrEqual(
          roundedMs + 1e-3,
        );
        for (const [index, { atMs, spanMs }] of points.entries()) {
          expect(atMs % spanMs).toBe(0);
          expect(atMs).toBeLessThan(points[index + 1]?.atMs ?? Infinity);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('is the same of several that are merged, in any order, as of one that was told all', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom([0, 1, 2], [2, 0, 1], [1, 2, 0]), (list, order) => {
        const merged = new Timeline(START);
        for (const who of order) {
          const part = timelineOf(list.filter(([teller]) => teller === who)).snapshot();
          merged.merge(JSON.parse(JSON.stringify(part)) as typeof part);
        }
        expect(merged.points()).toEqual(timelineOf(list).points());
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes what a clock that was set back puts before the start as its first span', () => {
    const timeline = new Timeline(START);
    timeline.add(START - 3_600_000, { read: 7 });
    timeline.requested(START - 100, START + 300);
    expect(timeline.points()).toMatchObject([
      { atMs: 0, read: 7, requests: 1 },
      { atMs: 250, requests: 0, inFlight: 0.2 },
    ]);
  });
});
