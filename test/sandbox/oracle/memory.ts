import type { ImportedDocument } from '../../../src/model/document.js';
import type { CapturedAuthor, CapturedDocument } from '../../../src/sandbox/index.js';

/** Documents that are put into one monitoring at once. */
export type Batch = {
  /** Position of the monitoring in its world. */
  readonly monitoring: number;
} & (
  | { readonly by: 'capture'; readonly documents: readonly CapturedDocument[] }
  | { readonly by: 'import'; readonly documents: readonly ImportedDocument[] }
);

/** An author as far as it is known from all that came. */
export interface Person {
  readonly source: string;
  readonly sourceId: string | null;
  username: string | null;
  profile: Partial<CapturedAuthor>;
  readonly tags: Set<string>;
}

/** A document as the oracle remembers it. */
export interface Post {
  /** Position in its world, in the order of arrival; ids have the same order. */
  readonly position: number;
  /** Position of the monitoring in its world. */
  readonly monitoring: number;
  readonly by: Batch['by'];
  readonly document: CapturedDocument | ImportedDocument;
  readonly author: Person;
  /** Milliseconds since 1970. */
  readonly published: number;
  /** Seconds since 1970. */
  readonly downloaded: number;
}

/** What a world's batches amount to. Every document must have `published` or `downloaded`. */
export function remember(batches: readonly Batch[]): Post[] {
  const people = new Map<string, Person>();
  const posts: Post[] = [];
  for (const { monitoring, by, documents } of batches) {
    for (const document of documents) {
      const downloaded = document.downloaded ?? null;
      const published = millisecondsOf(document.published ?? downloaded ?? '');
      posts.push({
        position: posts.length,
        monitoring,
        by,
        document,
        author: meet(people, document),
        published,
        downloaded: Math.floor((downloaded ? millisecondsOf(downloaded) : Date.now()) / 1000),
      });
    }
  }
  return posts;
}

/** Without an offset a timestamp counts as UTC. */
function millisecondsOf(timestamp: string): number {
  const complete = /T.*(Z|[+-]\d\d:\d\d)$/.test(timestamp) || !timestamp.includes('T');
  return Date.parse(complete ? timestamp : `${timestamp}Z`);
}

/** The one with the same source and sourceId; nobody else's without a sourceId. */
function meet(people: Map<string, Person>, document: Post['document']): Person {
  const told: Partial<CapturedAuthor> = (document.author ?? {}) as Partial<CapturedAuthor>;
  const source = told.source ?? document.source ?? '';
  const sourceId = told.sourceId ?? null;
  const key = JSON.stringify([source, sourceId]);
  const stranger = { source, sourceId, username: null, profile: {}, tags: new Set<string>() };
  const person: Person = (sourceId !== null && people.get(key)) || stranger;
  people.set(key, person);
  person.username = told.username ?? person.username;
  // The profile that came last counts as a whole; identity and tags are not part of it.
  const { source: _, sourceId: __, username: ___, tags = [], ...profile } = told;
  const { annotations: ____, ...known } = profile as typeof profile & { annotations?: unknown };
  if (Object.keys(known).length > 0) person.profile = known;
  for (const tag of tags) person.tags.add(tag);
  return person;
}

/** The first metric with this name, or 0. */
export function metricOf(
  of: { readonly metrics?: Post['document']['metrics'] },
  name: string,
): number {
  return of.metrics?.find((metric) => metric.name === name)?.value ?? 0;
}

/** Likes, comments and shares together. */
export function interactionsOf({ document }: Post): number {
  return ['likes', 'comments', 'shares'].reduce((sum, name) => sum + metricOf(document, name), 0);
}
