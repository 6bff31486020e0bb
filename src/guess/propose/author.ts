import type { ColumnProfile } from '../profile-column.js';
import { candidate, type Propose, weigh } from './candidate.js';
import { isWords } from './text.js';

/** Proposes columns about the author: the name shown, and an id. */
export const proposeAuthor: Propose = (profile) => [
  ...candidate('username', profile, nameScore(profile)),
  ...candidate('authorId', profile, idScore(profile)),
];

/** Records too few for names of things to repeat. */
const FEW = 60;

function nameScore(profile: ColumnProfile): number {
  const { words, length, distinctShare, column, language } = profile;
  if (!isWords(profile) || words > 5 || length > 45 || column.list) return 0;
  const name = weigh(profile, 'username', {
    // `comment_author` and `author.text` hold names, if they hold no more than a name's words.
    text: words < 2.5 && profile.concepts.has('author') ? -0.1 : -0.4,
  });
  const known = language !== undefined && language.share > 0.9 ? -0.4 : 0;
  const hash = profile.codes > 0.9 && length >= 16 ? -0.4 : 0;
  // `drugName` is the name of a drug: among few records those, too, may all differ.
  const few = profile.filled.length < FEW;
  const other = few && profile.unknown > 0 && !profile.concepts.has('author') ? -0.25 : 0;
  const varied = distinctShare > 0.4 ? 0.2 : distinctShare > 0.15 ? 0.05 : -0.15;
  return (
    name + hash + other + varied + known + (profile.column.unnamed ? unnamedScore(profile) : 0)
  );
}

/** Names of people start with a capital, mostly; where there is no header that has to do. */
function unnamedScore({ filled, words, distinctShare }: ColumnProfile): number {
  if (words > 3.5) return 0;
  const share = (test: RegExp): number =>
    filled.filter((text) => test.test(text)).length / filled.length;
  if (share(/^\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,3}$/u) > 0.8) return 0.25;
  const handles = distinctShare > 0.4 && share(/^@?[a-z][\w.-]{2,20}$/iu) > 0.95;
  const hashes = share(/^[\da-f-]+$/iu) > 0.5 || share(/^[A-Z\d]+$/u) > 0.5;
  return handles && !hashes ? 0.2 : 0;
}

function idScore(profile: ColumnProfile): number {
  const { concepts, codes, integers, words, urls, emails, date } = profile;
  if (date !== undefined && date.share > 0.9 && !concepts.has('id')) return 0;
  if (!concepts.has('author') || words > 1.1 || urls > 0.1 || emails > 0.1) return 0;
  if (codes < 0.8 && integers < 0.95 && profile.length < 8) return 0;
  return weigh(profile, 'authorId');
}
