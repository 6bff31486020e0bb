import { countIndicators, drawChart } from '../queries/count-indicators.js';
import { findDocuments } from '../queries/find-documents.js';
import { rankAuthors } from '../queries/rank-authors.js';
import { readContext } from '../queries/read-context.js';
import { readFeed } from '../queries/read-feed.js';
import { addDocuments } from '../store/add-documents.js';
import * as monitorings from '../store/monitorings.js';

/** Synchronous operations on the store, which they take as the first argument. */
export const OPERATIONS = {
  addDocuments,
  findDocuments,
  rankAuthors,
  countIndicators,
  drawChart,
  readContext,
  readFeed,
  ...monitorings,
};

export type StoreOperations = typeof OPERATIONS;
export type StoreOperation = keyof StoreOperations;
