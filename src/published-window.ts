import { Buffer } from 'node:buffer';
import { type Batch, endOf, startOf } from './documents.js';

/** The first and the last moment at which some documents were published, as ISO 8601 in UTC. */
export interface PublishedWindow {
  readonly from: string;
  readonly to: string;
}

/** In a text, the quotes would be escaped: this is the field and nothing else. */
const FIELD = Buffer.from('"published":"');
/** As in `2024-05-31T10:00:00.000Z`; shorter forms end earlier. */
const MOST_LENGTH = 40;
const QUOTE = 0x22;

/**
 * When a batch's documents were published: where to look for them. `null` if one of them doesn't
 * say, since then there is no window that holds all of them. Reads the bytes that are sent.
 */
export function publishedWindow(batch: Batch): PublishedWindow | null {
  let window: PublishedWindow | null = null;
  for (const { documents, from, to } of batch.ranges) {
    const { buffer, byteOffset, byteLength } = documents.bytes;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    for (let document = from; document < to; document += 1) {
      const published = publishedAt(
        bytes,
        startOf(documents, document),
        endOf(documents, document),
      );
      if (published === undefined) return null;
      window ??= { from: published, to: published };
      if (published < window.from) window = { from: published, to: window.to };
      else if (published > window.to) window = { from: window.from, to: published };
    }
  }
  return window;
}

function publishedAt(bytes: Buffer, start: number, end: number): string | undefined {
  const field = bytes.indexOf(FIELD, start);
  if (field < 0 || field >= end) return undefined;
  const value = field + FIELD.length;
  const close = bytes.indexOf(QUOTE, value);
  if (close < 0 || close - value > MOST_LENGTH) return undefined;
  return bytes.toString('latin1', value, close);
}
