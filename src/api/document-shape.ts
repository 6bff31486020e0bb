import type { AnswerShape } from './answer-shape.js';

const METRICS = { list: { name: 'text', value: 'number?' }, optional: true } as const;

/** What is looked at of an author. */
export const AUTHOR_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  name: 'text?',
  username: 'text?',
  about: 'text?',
  metrics: METRICS,
};

/** What is looked at of a document, by reconciliation and by commands that show it. */
export const DOCUMENT_SHAPE: AnswerShape = {
  id: 'integer',
  source: 'text?',
  sourceId: 'text?',
  title: 'text?',
  text: 'text?',
  language: 'text?',
  sentiment: 'text?',
  published: 'text?',
  metrics: METRICS,
  author: { object: { name: 'text?', username: 'text?' }, optional: true },
};
