/** Everything that is asked of the store. Each takes the store first, and runs to its end. */
export { countIndicators, drawChart } from '../queries/count-indicators.js';
export { findDocuments } from '../queries/find-documents.js';
export { rankAuthors } from '../queries/rank-authors.js';
export { readContext } from '../queries/read-context.js';
export { readFeed } from '../queries/read-feed.js';
export { addDocuments } from '../store/add-documents.js';
export {
  addSearches,
  createMonitoring,
  ensureMonitoring,
  findMonitoring,
  listMonitorings,
  removeSearches,
  renameMonitoring,
  unknownMonitorings,
} from '../store/monitorings.js';
