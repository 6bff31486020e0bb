import type { Metric } from '../../src/api/index.js';
import type { CapturedDocument } from '../../src/sandbox/index.js';

/** A captured message of the microblog network; `more` overrides whatever it has. */
export function message(sourceId: string, more: Partial<CapturedDocument> = {}): CapturedDocument {
  return {
    source: 'TWT',
    sourceId,
    text: `Text of ${sourceId}`,
    published: '2024-05-01T12:00:00Z',
    downloaded: '2024-05-01T12:05:00Z',
    author: { sourceId: 'someone' },
    ...more,
  };
}

/** Metrics by their names. */
export function metrics(values: Readonly<Record<string, number>>): readonly Metric[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
