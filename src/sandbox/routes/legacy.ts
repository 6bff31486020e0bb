import type { Metric } from '../../model/document.js';
import type {
  Author,
  Document,
  LegacyAuthor,
  LegacyAuthors,
  LegacyDocument,
  LegacyDocuments,
} from '../../service/resources.js';
import { answer, type Route, type RouteDeps } from '../answers.js';
import type { Operation } from '../faults/plan.js';
import { readAddress } from '../input/parameters.js';
import { listMonitorings } from '../store/monitorings.js';
import { type Finder, sharedFinders } from './filtering.js';

/** Routes of version 4.0, which takes GET only, with the filters in the URL. */
export function legacyRoutes(deps: RouteDeps): Route[] {
  const { documents, authors, indicators } = sharedFinders(deps);
  return [
    legacyRoute('/monitorings', 'monitorings', () => ({
      monitorings: listMonitorings(deps.store).map(({ id, title }) => ({ id, title })),
    })),
    legacyRoute('/documents', 'documents', (parameters): LegacyDocuments => {
      return { data: documents(parameters).documents.map(legacyDocument) };
    }),
    legacyRoute('/authors', 'authors', (parameters): LegacyAuthors => {
      const { authors: found, total, offset, count } = authors(parameters);
      return { data: found.map(legacyAuthor), total, offset, count };
    }),
    legacyRoute('/indicators', 'indicators', (parameters) => indicators(parameters, '4.0')),
  ];
}

function legacyRoute(path: string, operation: Operation, find: Finder): Route {
  return { path, operation, methods: { GET: async (c) => answer(c, find(readAddress(c))) } };
}

function legacyDocument(document: Document): LegacyDocument {
  const { metrics, author } = document;
  return {
    id: document.id,
    source: document.source,
    sourceId: document.sourceId,
    parentSourceId: document.parentSourceId,
    title: document.title,
    text: document.text,
    imageUrl: document.imageUrl,
    url: document.url,
    language: document.language,
    published: document.published,
    downloaded: document.downloaded,
    likes: metric(metrics, 'likes') ?? 0,
    // Only this one of the three is nullable according to the reference.
    comments: metric(metrics, 'comments') ?? null,
    shares: metric(metrics, 'shares') ?? 0,
    author: {
      id: author.id,
      source: author.source,
      sourceId: author.sourceId,
      username: author.username,
      name: author.name,
      authorUrl: author.authorUrl,
      imageUrl: author.imageUrl,
      followers: metric(author.metrics, 'followers') ?? 0,
      following: metric(author.metrics, 'following') ?? 0,
      posts: metric(author.metrics, 'publications') ?? 0,
    },
  };
}

function legacyAuthor(author: Author): LegacyAuthor {
  const { id, source, sourceId, username, name, authorUrl, imageUrl, metrics } = author;
  return {
    id,
    source,
    sourceId,
    username,
    fullname: name,
    authorUrl,
    imageUrl,
    indicators: {
      followers: metric(metrics, 'followers') ?? 0,
      following: metric(metrics, 'following') ?? 0,
      publications: metric(metrics, 'publications') ?? 0,
    },
  };
}

function metric(metrics: readonly Metric[], name: string): number | undefined {
  return metrics.find((each) => each.name === name)?.value;
}
