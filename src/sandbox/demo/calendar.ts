import type { Random } from './random.js';

/** Days before today. */
export interface Span {
  readonly oldest: number;
  /** At least 1. */
  readonly newest: number;
  /** Days of which more is written about than about others. */
  readonly peak?: { readonly oldest: number; readonly newest: number };
}

/** Gives moments, in milliseconds since 1970, that lie before today. */
export interface Calendar {
  /** When something is published, and whether that is in the peak. */
  publication(): { readonly published: number; readonly inPeak: boolean };
  /** A later moment, at most so many hours later. */
  after(moment: number, mostHours: number): number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How many of a hundred publications fall into the peak. */
const IN_PEAK = 0.22;

/** A calendar that counts back from the day of `now`, in UTC. */
export function createCalendar(random: Random, now: Date, span: Span): Calendar {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  return {
    publication: () => {
      const peak = random.chance(IN_PEAK) ? span.peak : undefined;
      const { oldest, newest } = peak ?? span;
      const day = today - random.between(newest, oldest) * DAY;
      // People write from seven in the morning, most of them in the evening.
      const hour = 7 + Math.max(random.between(0, 16), random.between(0, 16));
      const published = day + hour * HOUR + random.between(0, 3599) * 1000;
      return { published, inPeak: peak !== undefined };
    },
    after: (moment, mostHours) => {
      // Half of what is left of the day before today at most, so that there is always a later moment.
      const most = Math.min(mostHours * HOUR, (today - moment) / 2);
      return moment + Math.floor((random.next() * most) / 1000) * 1000;
    },
  };
}
