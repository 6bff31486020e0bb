import type { CapturedDocument } from '../../../src/sandbox/index.js';
import type { Question } from './asking.js';
import type { Batch } from './memory.js';

type Example = [world: Batch[], asked: Question[]];

/** Worlds and questions that once had another answer than the oracle's. */
export const FOUND: Example[] = [
  // FTS5's own tokenizer took signs that are younger than Unicode 6.1 for letters.
  [[captured({ text: 'hotel₿' }, { text: 'hotel🤩' })], [asked({ filters: ['query'] })]],
];

function captured(...documents: readonly Partial<CapturedDocument>[]): Batch {
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

function asked(question: Partial<Question>): Question {
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
