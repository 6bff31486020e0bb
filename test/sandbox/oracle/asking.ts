import fc from 'fast-check';
import { mapTree, type Tree, trees } from './expressions.js';
import type { RankingName } from './figures.js';
import type { Post } from './memory.js';
import { type Asked, type FilterName, minuteOf } from './select.js';
import { wordsIn } from './words.js';
import { MONITORINGS } from './worlds.js';

/**
 * A question before there is a world: which filters are set, and which posts their values are taken
 * from. Most values come from one post, the target, so that most questions have an answer.
 */
export interface Question {
  readonly target: number;
  readonly other: number;
  readonly filters: readonly FilterName[];
  /** Filters whose values come from the other post alone. */
  readonly strays: readonly FilterName[];
  readonly monitorings: readonly number[];
  readonly window: { readonly before: number; readonly after: number };
  readonly query: Tree<Pick>;
  readonly tagExpression: Tree<Pick>;
  readonly flags: readonly [boolean, boolean];
  readonly ranking: number | null;
}

/** Something out of a post. */
interface Pick {
  readonly of: 'target' | 'other';
  /** Which word or tag. */
  readonly at: number;
  /** How many words. */
  readonly words: number;
  readonly joint: string;
  readonly shout: boolean;
}

const FILTERS: readonly FilterName[] = [
  ...(['sources', 'viewSource', 'query', 'authorName', 'authorAbout', 'sentiments'] as const),
  ...(['languages', 'tags', 'ignoreTags', 'tagExpression', 'authors', 'authorTags'] as const),
  ...(['onlyVerifiedAuthors', 'onlyWithPersonalUrl', 'contributors'] as const),
];

const picks: fc.Arbitrary<Pick> = fc.record({
  of: fc.constantFrom('target', 'target', 'target', 'other'),
  at: fc.nat(20),
  words: fc.constantFrom(1, 1, 1, 2, 3),
  joint: fc.constantFrom(' ', '-', '_', '  ', '\n', '\0', ' 👍 '),
  shout: fc.boolean(),
});

const names = fc.constantFrom(...FILTERS);

/** Questions with few filters, and some with many. */
export const questions: fc.Arbitrary<Question> = fc.record({
  target: fc.nat(50),
  other: fc.nat(50),
  filters: fc.oneof(
    { weight: 5, arbitrary: fc.uniqueArray(names, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.uniqueArray(names, { minLength: 4 }) },
  ),
  strays: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(names) },
  ),
  monitorings: fc.subarray(Array.from({ length: MONITORINGS }, (_, position) => position)),
  window: fc.oneof(
    { weight: 2, arbitrary: fc.constant({ before: 1e8, after: 1e7 }) },
    {
      weight: 1,
      arbitrary: fc.record({
        before: fc.constantFrom(0, 0, 1, 60, 1440),
        after: fc.constantFrom(0, 1, 1, 60, 1440, -1),
      }),
    },
  ),
  query: trees(picks),
  tagExpression: trees(picks),
  flags: fc.tuple(fc.boolean(), fc.boolean()),
  ranking: fc.option(fc.nat(100)),
});

const MINUTE_MS = 60_000;

/** The question with values out of a world, which must not be empty. */
export function ask(question: Question, posts: readonly Post[]): Asked {
  const target = posts[question.target % posts.length]!;
  const other = posts[question.other % posts.length]!;
  const { before, after } = question.window;
  const all = question.filters.map((name) => {
    const from = question.strays.includes(name) ? [other] : [target, other];
    return [name, valueFor(name, from, question)] as const;
  });
  return {
    monitorings: [...new Set([target.monitoring, ...question.monitorings])],
    start: minuteOf(target.published - before * MINUTE_MS),
    end: minuteOf(target.published + after * MINUTE_MS),
    ...Object.fromEntries(all.filter(([, value]) => value !== undefined)),
  };
}

/** `undefined` where the posts have nothing to ask for. */
function valueFor(name: FilterName, posts: readonly Post[], question: Question): unknown {
  const [first] = posts as readonly [Post, ...Post[]];
  const { document, author } = first;
  const lists: { readonly [Name in FilterName]?: (post: Post) => readonly unknown[] } = {
    sources: (post) => [post.document.source],
    sentiments: (post) => [post.document.sentiment],
    languages: (post) => [post.document.language],
    tags: (post) => post.document.tags ?? [],
    ignoreTags: () => (posts.at(-1)?.document.tags ?? []).slice(0, 1),
    authors: (post) => [post.author],
    authorTags: (post) => [...post.author.tags],
    contributors: ({ document: of }) => ('reviewers' in of ? (of.reviewers ?? []) : []),
  };
  const list = lists[name];
  if (list) return filled(posts.flatMap(list).filter((value) => isAskable(name, value)));
  if (name === 'viewSource') return document.source;
  if (name === 'onlyVerifiedAuthors') return author.profile.isVerified ?? question.flags[0];
  if (name === 'onlyWithPersonalUrl') return question.flags[1];
  if (name === 'authorName') return someWords([author.profile.name, author.username]);
  if (name === 'authorAbout') return someWords([author.profile.about]);
  const choose = name === 'query' ? phraseOf : tagOf;
  return mapTree(question[name as 'query' | 'tagExpression'], (pick) =>
    choose(pick.of === 'target' ? first.document : posts.at(-1)!.document, pick),
  );
}

const ASKABLE_LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];

function isAskable(name: FilterName, value: unknown): boolean {
  return value != null && (name !== 'languages' || ASKABLE_LANGUAGES.includes(value as string));
}

function filled(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length > 0 ? [...new Set(list)] : undefined;
}

function someWords(texts: readonly (string | null | undefined)[]): string | undefined {
  const words = texts.flatMap((text) => wordsIn(text ?? ''));
  return words.length > 0 ? words.slice(0, 2).toReversed().join(' · ') : undefined;
}

function phraseOf(document: Post['document'], { at, words, joint, shout }: Pick): string {
  const title = 'title' in document ? (document.title ?? '') : '';
  const all = wordsIn(at % 3 === 0 && wordsIn(title).length > 0 ? title : (document.text ?? ''));
  if (all.length === 0) return 'hotel';
  const start = at % all.length;
  const phrase = all.slice(start, start + words).join(joint);
  return shout ? phrase.toUpperCase() : phrase;
}

function tagOf(document: Post['document'], { at }: Pick): string {
  const tags = document.tags ?? [];
  return tags[at % Math.max(1, tags.length)] ?? 'summer';
}

/** Names of rankings with the networks that have them, from the reference's tables. */
const LIKED = ['FCP', 'FCB', 'FCG', 'TWT', 'ITG', 'ITB', 'YTB', 'NTC'];
const RANKINGS: Readonly<Record<RankingName, readonly string[]>> = {
  interactions: LIKED,
  likes: LIKED,
  comments: ['FCP', 'FCB', 'FCG', 'ITG', 'ITB', 'YTB', 'NTC'],
  shares: ['FCP', 'FCB', 'FCG', 'TWT', 'NTC'],
  impressions: ['TWT', 'ITG', 'ITB'],
  followers: ['TWT', 'ITG', 'ITB', 'YTB'],
};

/** A ranking of documents or authors that the question's `viewSource` has, if it wants one. */
export function rankingFor(
  { ranking }: Question,
  { viewSource = '' }: Asked,
  what: 'documents' | 'authors',
): RankingName | undefined {
  if (ranking === null) return undefined;
  const available = (Object.keys(RANKINGS) as RankingName[]).filter(
    (name) =>
      RANKINGS[name].includes(viewSource) || (what === 'documents' && name === 'interactions'),
  );
  return available[ranking % Math.max(1, available.length)];
}
