import { nameWords } from '../lexicon/name-concepts.js';
import type { DateColumn } from '../notations/date-column.js';
import { areCountries, areStates, notPlaces } from '../notations/known-values.js';
import type { ColumnProfile } from '../profile-column.js';
import {
  type Candidate,
  candidate,
  isOfThing,
  type Propose,
  type Table,
  weigh,
} from './candidate.js';
import { isWords } from './text.js';

/** Proposes columns about what surrounds a review: language, address, places, tags, counts. */
export const proposeSurroundings: Propose = (profile, table) => [
  ...languageCandidate(profile),
  ...urlCandidate(profile, table),
  ...placeCandidates(profile),
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

/** Addresses for a machine or for the one who manages reviews, beside the page that people open. */
const FOR_OTHERS = /\b(?:self|edit|reply|respond|report|flag|share|admin|manage|delete)\b/u;

function urlCandidate(profile: ColumnProfile, table: Table): readonly Candidate[] {
  if (profile.urls < 0.95 || whyNoReviewPage(profile, table) !== undefined) return [];
  const name = weigh(profile, 'url');
  const others = FOR_OTHERS.test(nameWords(profile.name).join(' ')) ? -0.3 : 0;
  return candidate('url', profile, 0.35 + name + others + profile.distinctShare * 0.3);
}

/** Each review has a page of its own, apart from those that stand in the export twice. */
const OWN_PAGE = 0.9;

/** Why a column of web addresses doesn't hold the reviews' own pages; nothing where it may. */
export function whyNoReviewPage(profile: ColumnProfile, { profiles }: Table): string | undefined {
  const target = linkTarget(profile);
  if (target !== undefined) return `it leads to ${target}`;
  const texts = profiles.filter((one) => isWords(one) && one.words > 3);
  const reviews = Math.max(1, ...texts.map(({ distinct }) => distinct));
  if (profile.distinct < Math.min(reviews, profile.filled.length) * OWN_PAGE) {
    return "several reviews share an address: it is the place's page, not the review's own";
  }
  const ofThing = profile.concepts.has('place') && !profile.concepts.has('review');
  return ofThing ? "it leads to the place, and not to the review's own page" : undefined;
}

/** Minimum share of the addresses that must lead there. */
const MAJORITY = 0.5;

const TARGETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'an image',
    /\.(?:jpe?g|png|gif|webp|svg|avif)(?:[?#]|$)|^https?:\/\/(?:img|images?|photos?|avatars?)\d*\./iu,
  ],
  [
    'an API',
    /^https?:\/\/(?:[\w-]+[.-])?api\d*[.-]|\/(?:api|rest|graphql)(?:[/?]|$)|\/v\d+\/|\.(?:json|xml)(?:[?#]|$)/iu,
  ],
  ['the author', /\/(?:users?|profiles?|members?|authors?|people|u|account)\//iu],
];

/** What the web addresses of a column lead to, where that is no review; nothing where they don't say. */
function linkTarget({ filled, concepts }: ColumnProfile): string | undefined {
  const found = TARGETS.find(
    ([, pattern]) => filled.filter((text) => pattern.test(text)).length > filled.length * MAJORITY,
  );
  if (found !== undefined) return found[0];
  if (concepts.has('image')) return 'an image';
  return concepts.has('author') && !concepts.has('review') ? 'the author' : undefined;
}

function placeCandidates(profile: ColumnProfile): readonly Candidate[] {
  const { distinctShare, words, length, codes } = profile;
  if (profile.concepts.has('language') || profile.column.list) return [];
  if (!isWords(profile) || words > 8 || length > 80) return placeIdCandidate(profile);
  const not = weigh(profile, 'anyPlace');
  const repeated = distinctShare < 0.5 ? 0.1 : -0.1;
  return [
    ...namedPlaces(profile, not + repeated),
    ...candidate('lives', profile, not + weigh(profile, 'lives')),
    ...candidate(
      'place',
      profile,
      not + weigh(profile, 'place') + repeated - (codes > 0.8 ? 0.3 : 0),
    ),
    ...placeIdCandidate(profile),
  ];
}

/** The name of a state is a word for conditions, too: without a proof it is low. */
const CONDITION = new Set('state status estado stato etat stav stan'.split(' '));
const UNPROVEN = 0.4;

function namedPlaces(profile: ColumnProfile, rest: number): readonly Candidate[] {
  const values = [...new Set(profile.filled)];
  if (notPlaces(values) !== undefined) return [];
  const country = rest + weigh(profile, 'country');
  const several = values.filter((text) => text.includes(',')).length > values.length / 5 ? -0.5 : 0;
  const city = rest + several + weigh(profile, 'city');
  const region = rest + weigh(profile, 'region');
  const proven = !nameWords(profile.name).some((word) => CONDITION.has(word)) || areStates(values);
  return [
    ...candidate('country', profile, areCountries(values) ? country : Math.min(country, UNPROVEN)),
    ...candidate('city', profile, city),
    ...candidate('region', profile, proven ? region : Math.min(region, UNPROVEN)),
  ];
}

function placeIdCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { distinctShare, words, codes, concepts } = profile;
  if (!concepts.has('id') || words > 1.1 || codes < 0.8 || distinctShare > 0.9) return [];
  const name = weigh(profile, 'placeId');
  return candidate('placeId', profile, name + 0.2);
}

function countCandidates(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, counted } = profile;
  if (counted < 0.4 || concepts.has('id') || concepts.has('author')) return [];
  const not = weigh(profile, 'anyCount');
  // A number of replies is one of comments; a reply that has a number is not.
  const answers = concepts.has('reply') && concepts.has('count') ? 0.5 : 0;
  return [
    ...candidate('likes', profile, not + weigh(profile, 'likes')),
    ...candidate('comments', profile, not + answers + weigh(profile, 'comments')),
    ...candidate('shares', profile, not + weigh(profile, 'shares')),
  ];
}

function tagCandidate(profile: ColumnProfile): readonly Candidate[] {
  const { concepts, distinctShare, words, length, distinct } = profile;
  if (distinct < 2 || !concepts.has('tag') || !isWords(profile) || words > 12 || length > 120)
    return [];
  const score = weigh(profile, 'tags');
  return candidate(
    'tags',
    profile,
    score + (distinctShare < 0.3 || profile.column.list || isListed(profile) ? 0.1 : -0.15),
  );
}

/** Whether most values are several, with commas, semicolons or bars between. */
function isListed({ filled }: ColumnProfile): boolean {
  return filled.filter((text) => /[,;|]/u.test(text)).length > filled.length / 2;
}

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
