import type { ColumnProfile } from '../profile-column.js';
import { type Candidate, candidate, type Propose, weigh } from './candidate.js';

/** Proposes columns of dates: when the review was written, what it is about, when it was captured. */
export const proposeDates: Propose = (profile) => {
  const { date } = profile;
  if (date === undefined || date.share < 0.9) return [];
  return [...candidate('published', profile, publishedScore(profile)), ...otherDates(profile)];
};

function publishedScore(profile: ColumnProfile): number {
  const { date, distinct, filledShare, filled } = profile;
  const name = weigh(profile, {
    date: 0.25,
    written: 0.2,
    review: 0.1,
    updated: -0.15,
    experience: -0.6,
    scraped: -0.5,
    reply: -0.6,
    joined: -0.5,
    version: -0.5,
    id: -0.5,
    place: -0.1,
    author: -0.1,
    count: -0.3,
  });
  const precise = date?.precision === 'month' ? -0.15 : date?.relative ? -0.05 : 0;
  const time = date?.precision === 'time' ? 0.02 : 0;
  const constant = distinct === 1 && filled.length > 20 ? -0.3 : 0;
  return 0.4 + name + precise + time + constant + filledShare * 0.1;
}

function otherDates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts } = profile;
  if (concepts.has('reply') || concepts.has('joined')) return [];
  const scraped = concepts.has('scraped') ? 0.8 : 0;
  const experienced = concepts.has('experience') && !concepts.has('written') ? 0.75 : 0;
  return [
    ...(profile.date?.relative === true ? [] : candidate('downloaded', profile, scraped)),
    ...candidate('experienced', profile, experienced),
  ];
}
