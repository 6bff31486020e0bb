import { isTrue, type Tree } from './expressions.js';
import type { Person, Post } from './memory.js';
import { holdsPhrase, holdsWords, wordsIn } from './words.js';

/** Filters with values of their own kind; those that are not there restrict nothing. */
export interface Asked {
  /** Positions in the world. */
  readonly monitorings: readonly number[];
  /** `yyyy-MM-dd HH:mm` */
  readonly start: string;
  readonly end: string;
  readonly sources?: readonly string[];
  readonly viewSource?: string;
  readonly query?: Tree<string>;
  readonly authorName?: string;
  readonly authorAbout?: string;
  readonly sentiments?: readonly string[];
  readonly languages?: readonly string[];
  readonly tags?: readonly string[];
  readonly ignoreTags?: readonly string[];
  readonly tagExpression?: Tree<string>;
  readonly authors?: readonly Person[];
  readonly authorTags?: readonly string[];
  readonly onlyVerifiedAuthors?: boolean;
  readonly onlyWithPersonalUrl?: boolean;
  readonly contributors?: readonly number[];
}

/** A name of a filter that may be left out. */
export type FilterName = Exclude<keyof Asked, 'monitorings' | 'start' | 'end'>;

type Rules = {
  readonly [Name in FilterName]: (wanted: NonNullable<Asked[Name]>, post: Post) => boolean;
};

const RULES: Rules = {
  sources: (codes, { document }) => codes.includes(document.source ?? ''),
  viewSource: (code, { document }) => document.source === code,
  query: (tree, { document }) => isTrue(tree, (phrase) => says(document, phrase)),
  authorName: (words, { author }) =>
    holdsWords([author.profile.name ?? '', author.username ?? ''], wordsIn(words)),
  authorAbout: (words, { author }) => holdsWords([author.profile.about ?? ''], wordsIn(words)),
  sentiments: (codes, { document }) => codes.includes(document.sentiment ?? ''),
  languages: (codes, { document }) => codes.includes(document.language ?? ''),
  tags: (tags, post) => hasAny(post, tags),
  ignoreTags: (tags, post) => !hasAny(post, tags),
  tagExpression: (tree, post) => isTrue(tree, (tag) => hasAny(post, [tag])),
  authors: (people, { author }) => people.includes(author),
  authorTags: (tags, { author }) => tags.some((tag) => author.tags.has(tag)),
  onlyVerifiedAuthors: (wanted, { author }) => (author.profile.isVerified ?? false) === wanted,
  onlyWithPersonalUrl: (wanted, { author }) =>
    ((author.profile.personalUrl ?? '') !== '') === wanted,
  contributors: (users, { document }) =>
    'reviewers' in document && (document.reviewers ?? []).some((user) => users.includes(user)),
};

/** The posts that satisfy every filter, in the order of arrival. */
export function select(posts: readonly Post[], asked: Asked): Post[] {
  const names = Object.keys(RULES) as FilterName[];
  // An expression over tags has priority over the two lists.
  const counting = names.filter(
    (name) => !(asked.tagExpression && (name === 'tags' || name === 'ignoreTags')),
  );
  return posts
    .filter(({ monitoring }) => asked.monitorings.includes(monitoring))
    .filter(({ published }) => isWithin(published, asked))
    .filter((post) => counting.every((name) => satisfies(post, asked, name)));
}

function satisfies<Name extends FilterName>(post: Post, asked: Asked, name: Name): boolean {
  const wanted = asked[name];
  return wanted === undefined || RULES[name](wanted as NonNullable<Asked[Name]>, post);
}

/** Both minutes count; when the first is not before the last, none does. */
function isWithin(published: number, { start, end }: Asked): boolean {
  const minute = minuteOf(published);
  return start < end && start <= minute && minute <= end;
}

/** The minute as filters name it. */
export function minuteOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ');
}

function says(document: Post['document'], phrase: string): boolean {
  const title = 'title' in document ? (document.title ?? '') : '';
  return [title, document.text ?? ''].some((text) => holdsPhrase(text, wordsIn(phrase)));
}

function hasAny({ document }: Post, tags: readonly string[]): boolean {
  return (document.tags ?? []).some((tag) => tags.includes(tag));
}
