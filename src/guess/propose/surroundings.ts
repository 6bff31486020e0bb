import type { DateColumn } from '../notations/date-column.js';
import { areCountries, areStates, mayBePlaces, namesThings } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  type Candidate,
  candidate,
  describesThing,
  type Propose,
  type Table,
  weigh,
} from './candidate.js';
import { isWords } from './text.js';

/** Proposes columns of language, URL, places, counts and tags. */
export const proposeSurroundings: Propose = (profile, table) => [
  ...languageCandidate(profile),
  ...urlCandidate(profile, table),
  ...placeCandidates(profile, table),
  ...countCandidates(profile),
  ...tagCandidate(profile),
];

function languageCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { language } = profile;
  if (language === undefined) return [];
  const name = weigh(profile, 'language');
  return candidate(
    'language',
    profile,
    name + (language.share >= 0.9 ? 0.35 : 0.1) - (name > 0 ? 0 : 0.3),
  );
}

function urlCandidate(profile: ColumnProfile, table: Table): readonly Candidate[] {
  if (profile.urls < 0.95 || !mayBeReviewPage(profile, table)) return [];
  const name = weigh(profile, 'url');
  return candidate('url', profile, 0.35 + name + profile.distinctShare * 0.3);
}

/** Minimum number of distinct URLs per review; below 1, as reviews may be repeated. */
const MIN_URLS_PER_REVIEW = 0.9;

/** Returns whether a column of URLs may hold the reviews' own pages. */
function mayBeReviewPage(profile: ColumnProfile, { profiles }: Table): boolean {
  if (linksElsewhere(profile)) return false;
  const texts = profiles.filter((one) => isWords(one) && one.words > 3);
  const reviews = Math.max(1, ...texts.map(({ distinct }) => distinct));
  const isShared =
    profile.distinct < Math.min(reviews, profile.filled.length) * MIN_URLS_PER_REVIEW;
  return !isShared && (!profile.concepts.has('place') || profile.concepts.has('review'));
}

/** Share of a column's URLs above which they count as having a target. */
const MAJORITY = 0.5;

/** URLs of images, APIs and authors. */
const ELSEWHERE: readonly RegExp[] = [
  /\.(?:jpe?g|png|gif|webp|svg|avif)(?:[?#]|$)|^https?:\/\/(?:img|images?|photos?|avatars?)\d*\./iu,
  /^https?:\/\/(?:[\w-]+[.-])?api\d*[.-]|\/(?:api|graphql)(?:[/?]|$)|\.(?:json|xml)(?:[?#]|$)/iu,
  /\/(?:users?|profiles?|members?|authors?|people|u|account)\//iu,
];

/** Returns whether a column's URLs lead to something other than a review. */
function linksElsewhere({ filled, concepts }: ColumnProfile): boolean {
  const isMajority = (pattern: RegExp): boolean =>
    filled.filter((text) => pattern.test(text)).length > filled.length * MAJORITY;
  if (ELSEWHERE.some(isMajority) || concepts.has('image')) return true;
  return concepts.has('author') && !concepts.has('review');
}

function placeCandidates(profile: ColumnProfile, table: Table): readonly Candidate[] {
  const { distinctShare, words, length, codes } = profile;
  if (profile.concepts.has('language') || profile.column.list) return [];
  if (!isWords(profile) || words > 8 || length > 80) return placeIdCandidate(profile);
  const penalty = weigh(profile, 'anyPlace');
  const repeated = distinctShare < 0.5 ? 0.1 : -0.1;
  return [
    ...namedPlaces(profile, penalty + repeated),
    ...candidate('lives', profile, penalty + weigh(profile, 'lives')),
    ...candidate(
      'place',
      profile,
      penalty +
        weigh(profile, 'place') +
        thingScore(profile, table) +
        repeated -
        (codes > 0.8 ? 0.3 : 0),
    ),
    ...placeIdCandidate(profile),
  ];
}

/** Maximum share of different names, among a minimum of names, that are things' if authors have a column. */
const MAX_THINGS = 0.3;
const MIN_NAMES = 8;
/** Minimum weight of a name that means the author, not the author's city or number of reviews. */
const MIN_AUTHOR = 0.5;

/** Scores a name or title as the reviewed thing's, by its values and the other columns. */
function thingScore(profile: ColumnProfile, table: Table): number {
  const { concepts, filled, distinctShare } = profile;
  if (concepts.has('author') || concepts.has('own')) return 0;
  if (table.oneAuthor && (concepts.has('name') || concepts.has('title'))) return 0.5;
  if (concepts.has('title') && !concepts.has('review') && describesThing(profile, table))
    return 0.3;
  if (!concepts.has('name') || concepts.has('place')) return 0;
  const isShared = distinctShare < MAX_THINGS && filled.length >= MIN_NAMES;
  const others = table.profiles.some(
    (other) => other !== profile && isWords(other) && weigh(other, 'username') >= MIN_AUTHOR,
  );
  const things = namesThings(filled) || describesThing(profile, table) || (isShared && others);
  return things ? 0.3 : 0;
}

/** Maximum score of a place that the values don't prove: low confidence. */
const MAX_UNPROVEN = 0.4;

function namedPlaces(profile: ColumnProfile, rest: number): readonly Candidate[] {
  const values = [...new Set(profile.filled)];
  if (!mayBePlaces(values)) return [];
  const country = rest + weigh(profile, 'country');
  const several = values.filter((text) => text.includes(',')).length > values.length / 5 ? -0.5 : 0;
  const city = rest + several + weigh(profile, 'city');
  const region = rest + weigh(profile, 'region');
  // `state` may mean a status, too.
  const proven = !profile.concepts.has('status') || areStates(values);
  return [
    ...candidate(
      'country',
      profile,
      areCountries(values) ? country : Math.min(country, MAX_UNPROVEN),
    ),
    ...candidate('city', profile, city),
    ...candidate('region', profile, proven ? region : Math.min(region, MAX_UNPROVEN)),
  ];
}

function placeIdCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { distinctShare, words, codes, concepts } = profile;
  const isThings = concepts.has('place') || distinctShare < 0.5;
  if (!concepts.has('id') || words > 1.1 || codes < 0.8 || distinctShare > 0.9) return [];
  if (!isThings || concepts.has('date')) return [];
  const name = weigh(profile, 'placeId');
  return candidate('placeId', profile, name + 0.2);
}

function countCandidates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, counted } = profile;
  // `userComment.likes` counts what the comment got, `user.likes` perhaps what the user gave.
  const isAuthors = concepts.has('author') && !concepts.has('text') && !concepts.has('review');
  if (counted < 0.4 || concepts.has('id') || isAuthors) return [];
  const penalty = weigh(profile, 'anyCount');
  // A number of replies counts comments; the number of a reply doesn't.
  const answers = concepts.has('reply') && concepts.has('count') ? 0.5 : 0;
  return [
    ...candidate('likes', profile, penalty + weigh(profile, 'likes')),
    ...candidate('comments', profile, penalty + answers + weigh(profile, 'comments')),
    ...candidate('shares', profile, penalty + weigh(profile, 'shares')),
  ];
}

function tagCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinctShare, words, length, distinct, column } = profile;
  if (distinct < 2 || !concepts.has('tag') || !isWords(profile) || words > 12 || length > 120)
    return [];
  const repeated = distinctShare < 0.3 || column.list ? 0.1 : -0.15;
  return candidate('tags', profile, weigh(profile, 'tags') + repeated);
}

/** Proposes columns of dates: when the review was written or captured, and when the experience took place. */
export const proposeDates: Propose = (profile, table) => {
  const { date, clocks } = profile;
  // A time of day may complete the date in another column.
  if (clocks > 0.98) return candidate('clock', profile, 0.5 + weigh(profile, 'clock'));
  if (date === undefined || !isReadable(profile, date)) return [];
  return [
    ...candidate('published', profile, publishedScore(profile, table)),
    ...otherDates(profile),
  ];
};

/**
 * Returns whether enough values are dates: 90%, or for columns named as a date as many as a profile
 * needs.
 */
function isReadable({ concepts }: ColumnProfile, { share }: DateColumn): boolean {
  return share >= 0.9 || concepts.has('date') || concepts.has('written');
}

function publishedScore(profile: ColumnProfile, table: Table): number {
  const { date, distinct, filledShare, filled } = profile;
  const name = weigh(profile, 'published', {
    // If every record has it, `response` means a survey's response, not a reply to the review.
    reply: filledShare > 0.98 ? -0.15 : -0.6,
  });
  const precise = date?.precision === 'month' ? -0.15 : date?.relative ? -0.05 : 0;
  const time = date?.precision === 'time' ? 0.02 : 0;
  const ofThing = distinct < filled.length * 0.2 && describesThing(profile, table) ? -0.35 : 0;
  return ofThing + 0.4 + name + precise + time + filledShare * 0.1;
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
