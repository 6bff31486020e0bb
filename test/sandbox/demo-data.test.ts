import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { demoData } from '../../src/sandbox/demo.js';
import { ROOT } from '../helpers/markdown.js';

const DAY = 86_400_000;
const NOW = new Date('2025-05-31T15:20:00Z');
const data = demoData(NOW);
const reviews = data.flatMap((part) => part.reviews);

describe('the synthetic data', () => {
  it('is the same for the whole of a day, and another day moves only the dates', () => {
    const [morning, night] = ['2025-05-31T00:00:00Z', '2025-05-31T23:59:59.999Z'];
    expect(demoData(new Date(morning))).toEqual(data);
    expect(demoData(new Date(night))).toEqual(data);
    const nextDay = demoData(new Date(NOW.getTime() + DAY));
    expect(nextDay).not.toEqual(data);
    expect(undated(nextDay)).toEqual(undated(data));
  });

  it('holds reviews that can be imported, and whose score fits the sentiment', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const schema = JSON.parse(
      readFileSync(path.join(ROOT, 'schemas/imported-document.schema.json'), 'utf8'),
    );
    const isComplete = ajv.compile(schema);
    const scores = { B: [8, 10], N: [6, 7], R: [1, 4] } as const;
    const seen = new Set<string>();
    for (const review of reviews) {
      expect(isComplete(review), JSON.stringify(isComplete.errors)).toBe(true);
      const score = review.metrics?.find(({ name }) => name === 'score')?.value;
      if (review.parentSourceId !== null) {
        expect(seen).toContain(review.parentSourceId);
        continue;
      }
      const [least, most] = scores[review.sentiment as keyof typeof scores];
      expect(score).toBeGreaterThanOrEqual(least);
      expect(score).toBeLessThanOrEqual(most);
      seen.add(review.sourceId ?? '');
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(seen.size).toBeLessThan(reviews.length);
  });
});

function undated(of: typeof data): unknown {
  return JSON.parse(JSON.stringify(of), (key, value) =>
    key === 'published' || key === 'downloaded' ? 'some day' : value,
  );
}
