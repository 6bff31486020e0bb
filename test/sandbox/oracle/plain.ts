import type { CapturedDocument } from '../../../src/sandbox/index.js';
import type { Question } from './asking.js';
import type { Batch } from './memory.js';

/** A batch of documents that have nothing special but what is given. */
export function captured(
  ...documents: readonly Partial<CapturedDocument>[]
): Extract<Batch, { by: 'capture' }> {
  return {
    monitoring: 0,
    by: 'capture',
    documents: documents.map((document) => ({
      source: 'TWT',
      sourceId: '1',
      text: '',
      published: '2024-02-29',
      downloaded: '2024-02-29',
      author: { sourceId: '1' },
      ...document,
    })),
  };
}

/** A question without filters but what is given. */
export function plainQuestion(question: Partial<Question> = {}): Question {
  const pick = { of: 'target', at: 0, words: 1, joint: ' ', shout: false } as const;
  return {
    target: 0,
    other: 0,
    filters: [],
    strays: [],
    monitorings: [],
    window: { before: 1e8, after: 1e7 },
    query: { leaf: pick },
    tagExpression: { leaf: pick },
    flags: [true, true],
    ranking: null,
    ...question,
  };
}
