import { readFileSync } from 'node:fs';
import type { ImportedDocument } from '../model/document.js';
import type { NewMonitoring } from '../service/resources.js';
import type { Engine } from './engine/engine.js';
import {
  type CapturedAuthor,
  type CapturedDocument,
  checkCaptured,
} from './input/captured-documents.js';
import { checkImport } from './input/imported-documents.js';
import { prepareDocuments } from './store/prepare-documents.js';

/** Puts the synthetic data into a sandbox that has no monitorings; any other is left as it is. */
export async function fillWithDemo(engine: Engine, now: Date): Promise<void> {
  if ((await engine.run('listMonitorings')).length > 0) return;
  for (const { monitoring, captured, reviews } of demoData(now)) {
    const { id } = await engine.run('createMonitoring', monitoring);
    await engine.run('addDocuments', prepareDocuments(id, checkCaptured(captured)));
    if (reviews.length === 0) continue;
    const documents = checkImport({ documents: reviews }, Infinity);
    await engine.run('addDocuments', prepareDocuments(id, documents));
  }
}

/** A monitoring of the synthetic data, with its documents in the order of their capture. */
export interface DemoMonitoring {
  readonly monitoring: NewMonitoring;
  /** Parents come before their replies. */
  readonly captured: readonly CapturedDocument[];
  /** Reviews that were imported. */
  readonly reviews: readonly ImportedDocument[];
}

const FOLDER = new URL('../../demo/', import.meta.url);

const DAY_MS = 86_400_000;
/** The day from which the dates in the files are seen. */
const SEEN_FROM_MS = Date.UTC(2025, 4, 31);

/**
 * The data of `demo/` as seen from `now`: the same for the whole of a day (UTC). Every date lies in
 * the 120 days before that day.
 */
export function demoData(now: Date): readonly DemoMonitoring[] {
  const shiftMs = Math.floor((now.getTime() - SEEN_FROM_MS) / DAY_MS) * DAY_MS;
  const monitorings: readonly NewMonitoring[] = JSON.parse(read('monitorings.json'));
  const profiles = readLines<CapturedAuthor>('authors.jsonl', 0);
  const authors = new Map(profiles.map((author) => [author.sourceId, author]));
  const captured = readLines<DemoCapture>('captured.jsonl', shiftMs);
  const reviews = readLines<DemoReview>('reviews.jsonl', shiftMs);
  return monitorings.map((monitoring, index) => ({
    monitoring,
    captured: captured
      .filter((line) => line.monitoring === index)
      .map(({ document }) => ({
        ...document,
        author: authors.get(document.author) as CapturedAuthor,
      })),
    reviews: reviews.filter((line) => line.monitoring === index).map(({ document }) => document),
  }));
}

/** A line of `captured.jsonl`: the author is named by its `sourceId`, the monitoring by its index. */
interface DemoCapture {
  readonly monitoring: number;
  readonly document: Omit<CapturedDocument, 'author'> & { readonly author: string };
}

/** A line of `reviews.jsonl`. */
interface DemoReview {
  readonly monitoring: number;
  readonly document: ImportedDocument;
}

function readLines<Line>(name: string, shiftMs: number): readonly Line[] {
  const moved = (key: string, value: unknown): unknown =>
    key === 'published' || key === 'downloaded'
      ? new Date(Date.parse(value as string) + shiftMs).toISOString()
      : value;
  const lines = read(name).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line, moved));
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
