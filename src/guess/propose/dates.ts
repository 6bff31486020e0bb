import type { DateColumn } from '../notations/date-column.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  type Candidate,
  candidate,
  isOfThing,
  type Propose,
  type Table,
  weigh,
} from './candidate.js';

/** Proposes columns of dates: when the review was written, what it is about, when it was captured. */
export const proposeDates: Propose = (profile, table) => {
  const { date, clocks } = profile;
  // Times of day may belong to the date in another column.
  if (clocks > 0.98) return candidate('clock', profile, 0.5 + weigh(profile, 'clock'));
  if (date === undefined || !isReadable(profile, date)) return [];
  return [
    ...candidate('published', profile, publishedScore(profile, table)),
    ...otherDates(profile),
  ];
};

/** A column that is called a date is proposed if most of it can be read. */
function isReadable({ concepts }: ColumnProfile, { share }: DateColumn): boolean {
  return share >= 0.9 || concepts.has('date') || concepts.has('written');
}

function publishedScore(profile: ColumnProfile, table: Table): number {
  const { date, distinct, filledShare, filled } = profile;
  const name = weigh(profile, 'published', {
    // A date that every record has is of no reply: surveys call what they get responses.
    reply: filledShare > 0.98 ? -0.15 : -0.6,
  });
  const precise = date?.precision === 'month' ? -0.15 : date?.relative ? -0.05 : 0;
  const time = date?.precision === 'time' ? 0.02 : 0;
  // Digits alone may be a number of anything.
  const bare =
    date?.forms.every((form) => /^(?:epoch|excel)-/u.test(form)) === true &&
    !profile.concepts.has('date') &&
    !profile.concepts.has('written')
      ? -0.1
      : 0;
  const constant = distinct === 1 && filled.length > 20 ? -0.3 : 0;
  const ofThing = distinct < filled.length * 0.2 && isOfThing(profile, table) ? -0.35 : 0;
  return ofThing + bare + 0.4 + name + precise + time + constant + filledShare * 0.1;
}

function otherDates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts } = profile;
  if ((concepts.has('reply') && profile.filledShare < 0.98) || concepts.has('joined')) return [];
  const scraped = concepts.has('scraped') ? 0.8 : 0;
  const experienced = concepts.has('experience') && !concepts.has('written') ? 0.75 : 0;
  return [
    ...(profile.date?.relative === true ? [] : candidate('downloaded', profile, scraped)),
    ...candidate('experienced', profile, experienced),
  ];
}
