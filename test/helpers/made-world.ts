import { readFileSync } from 'node:fs';
import { createClient } from '../../src/api/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';

const FOLDER = new URL('../contract/made-world/', import.meta.url);
const DAY_MS = 86_400_000;
/** Day that the dates in the files are relative to. */
const REFERENCE_DAY_MS = Date.UTC(2025, 4, 31);

/** Fills a sandbox with two hotels and a city, in the 120 days before today. */
export async function fillWithMadeWorld(sandbox: Sandbox): Promise<void> {
  const authors = new Map(lines('authors.jsonl').map((author) => [author.sourceId, author]));
  const captured = lines('captured.jsonl');
  const reviews = lines('reviews.jsonl');
  await using client = createClient(sandbox);
  for (const [index, monitoring] of JSON.parse(read('monitorings.json')).entries()) {
    const { id } = await client.monitorings.create(monitoring);
    const documentsOf = (all: typeof captured) =>
      all.filter((line) => line.monitoring === index).map(({ document }) => document);
    const messages = documentsOf(captured);
    for (const message of messages) message.author = authors.get(message.author);
    await sandbox.capture(id, messages);
    const own = documentsOf(reviews);
    if (own.length > 0) await client.importDocuments(id, own);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: lines of several shapes.
function lines(name: string): any[] {
  const shiftMs = Math.floor((Date.now() - REFERENCE_DAY_MS) / DAY_MS) * DAY_MS;
  const shifted = (key: string, value: unknown): unknown =>
    key === 'published' || key === 'downloaded'
      ? new Date(Date.parse(value as string) + shiftMs).toISOString()
      : value;
  return read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line, shifted));
}

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}
