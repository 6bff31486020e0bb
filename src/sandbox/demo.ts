import { readFileSync } from 'node:fs';
import type { ImportedDocument } from '../model/document.js';
import type { NewMonitoring } from '../service/resources.js';
import type { Engine } from './engine/engine.js';
import { checkImport } from './input/bodies.js';
import {
  type CapturedAuthor,
  type CapturedDocument,
  checkCaptured,
} from './input/captured-documents.js';
import { prepareDocuments } from './store/prepare-documents.js';

/** Fills a sandbox that has no monitorings with synthetic data; any other is left unchanged. */
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

export interface DemoMonitoring {
  readonly monitoring: NewMonitoring;
  /** Parents come before their replies. */
  readonly captured: readonly CapturedDocument[];
  readonly reviews: readonly ImportedDocument[];
}

const FOLDER = new URL('../../demo/', import.meta.url);

const DAY_MS = 86_400_000;
/** Day that the dates in the files are relative to. */
const REFERENCE_DAY_MS = Date.UTC(2025, 4, 31);

/**
 * Reads the data of `demo/`, with all dates shifted to the 120 days before `now`. The result is the
 * same throughout a day (UTC).
 */
export function demoData(now: Date): readonly DemoMonitoring[] {
  const shiftMs = Math.floor((now.getTime() - REFERENCE_DAY_MS) / DAY_MS) * DAY_MS;
  const monitorings: readonly NewMonitoring[] = JSON.parse(readDemoFile('monitorings.json'));
  const profiles = readDemoLines<CapturedAuthor>('authors.jsonl', 0);
  const authors = new Map(profiles.map((author) => [author.sourceId, author]));
  const captured = readDemoLines<DemoCapture>('captured.jsonl', shiftMs);
  const reviews = readDemoLines<DemoReview>('reviews.jsonl', shiftMs);
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

/** A line of `captured.jsonl`: refers to the author by `sourceId`, to the monitoring by index. */
interface DemoCapture {
  readonly monitoring: number;
  readonly document: Omit<CapturedDocument, 'author'> & { readonly author: string };
}

interface DemoReview {
  readonly monitoring: number;
  readonly document: ImportedDocument;
}

function readDemoLines<Line>(name: string, shiftMs: number): readonly Line[] {
  const shifted = (key: string, value: unknown): unknown =>
    key === 'published' || key === 'downloaded'
      ? new Date(Date.parse(value as string) + shiftMs).toISOString()
      : value;
  const lines = readDemoFile(name).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line, shifted));
}

function readDemoFile(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
