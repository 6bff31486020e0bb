import type { Question } from './asking.js';
import type { Batch } from './memory.js';
import { captured, plainQuestion } from './plain.js';

type Example = [world: Batch[], asked: Question[]];

/** Worlds and questions that once had another answer than the oracle's. */
export const FOUND: Example[] = [
  // FTS5's own tokenizer took signs that are younger than Unicode 6.1 for letters.
  [[captured({ text: 'hotel₿' }, { text: 'hotel🤩' })], [plainQuestion({ filters: ['query'] })]],
];
