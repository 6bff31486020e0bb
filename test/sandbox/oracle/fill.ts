import { expect } from 'vitest';
import type { DocumentResource } from '../../../src/sandbox/queries/document.js';
import type { TestSandbox } from '../../helpers/start-sandbox.js';
import { ALWAYS } from '../documents.js';
import { written } from './expressions.js';
import { type Batch, type Person, type Post, remember } from './memory.js';
import type { Asked } from './select.js';
import { MONITORINGS } from './worlds.js';

/** A world that was put into a sandbox, and what the oracle remembers of it. */
export interface Filled {
  /** Ids of its monitorings. */
  readonly monitorings: readonly number[];
  readonly posts: readonly Post[];
  /** Its authors, in the order of their ids. */
  readonly people: readonly Person[];
  /** What the sandbox shows for each post. */
  readonly shown: readonly DocumentResource[];
  idOf(post: Post): number;
  authorIdOf(person: Person): number;
  /** The filters as the API takes them. */
  formOf(asked: Asked): Record<string, string>;
}

const lastMonitorings = new WeakMap<TestSandbox, number>();

/** Puts a world into monitorings of its own, and its authors beside those of other worlds. */
export async function fill(sandbox: TestSandbox, world: readonly Batch[]): Promise<Filled> {
  const first = (lastMonitorings.get(sandbox) ?? 0) + 1;
  const monitorings = Array.from({ length: MONITORINGS }, (_, position) => first + position);
  lastMonitorings.set(sandbox, first + MONITORINGS - 1);
  for (const id of monitorings) await sandbox.ensureMonitoring(id);
  const batches = world.map((batch) => apart(batch, `${first}:`));
  for (const batch of batches) await put(sandbox, monitorings[batch.monitoring]!, batch);
  const posts = remember(batches);
  const shown = await everything(sandbox, monitorings);
  expect(shown.length).toBe(posts.length);
  return filledWorld(monitorings, posts, shown);
}

/** Authors are known by source and sourceId, wherever they write. */
function apart(batch: Batch, prefix: string): Batch {
  const documents = batch.documents.map((document) => {
    const sourceId = document.author?.sourceId;
    if (sourceId === undefined) return document;
    return { ...document, author: { ...document.author, sourceId: prefix + sourceId } };
  });
  return { ...batch, documents } as Batch;
}

/** Puts one batch into the monitoring with this id. */
export async function put(sandbox: TestSandbox, monitoring: number, batch: Batch): Promise<void> {
  if (batch.by === 'capture') return sandbox.capture(monitoring, batch.documents);
  const json = { documents: batch.documents };
  const { body } = await sandbox.call('POST', `/monitorings/${monitoring}/documents`, { json });
  expect(body).toEqual({ accepted: true, documents: batch.documents.length });
}

/** All documents by id, which is the order of their arrival. */
async function everything(
  sandbox: TestSandbox,
  monitorings: readonly number[],
): Promise<DocumentResource[]> {
  const found = await allPages<DocumentResource>(sandbox, 'documents', {
    monitorings: monitorings.join(),
    ...ALWAYS,
  });
  return found.toSorted((a, b) => a.id - b.id);
}

/** Follows `offset` until a page comes back empty. */
export async function allPages<Entry>(
  { call }: TestSandbox,
  what: 'documents' | 'authors',
  form: Record<string, string>,
): Promise<Entry[]> {
  const found: Entry[] = [];
  for (;;) {
    const offset = String(found.length);
    const { status, body } = await call('POST', `/${what}`, { form: { ...form, offset } });
    expect(body).toMatchObject({ offset: found.length });
    expect(status).toBe(200);
    if (body[what].length === 0) return found;
    found.push(...body[what]);
  }
}

function filledWorld(
  monitorings: readonly number[],
  posts: readonly Post[],
  shown: readonly DocumentResource[],
): Filled {
  const authorIds = new Map(posts.map((post, index) => [post.author, shown[index]!.author.id]));
  const authorIdOf = (person: Person): number => authorIds.get(person)!;
  return {
    monitorings,
    posts,
    shown,
    people: [...authorIds.keys()].toSorted((a, b) => authorIdOf(a) - authorIdOf(b)),
    idOf: ({ position }) => shown[position]!.id,
    authorIdOf,
    formOf: (asked) => {
      const { monitorings: asks, authors, query, tagExpression, ...others } = asked;
      return {
        ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
        monitorings: asks.map((position) => monitorings[position]).join(),
        ...(authors && { authors: authors.map(authorIdOf).join() }),
        ...(query && { query: written(query) }),
        ...(tagExpression && { tagExpression: written(tagExpression) }),
      };
    },
  };
}
