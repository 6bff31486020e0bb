/** All that it takes to send documents: one module, so that it can be loaded when it is needed. */
export { openTransport } from './api/http-transport.js';
export { postDocuments } from './api/import-documents.js';
export { cutBatches } from './batching/cut-batches.js';
export { checkAccess } from './delivery/check-access.js';
export { deliver } from './delivery/deliver.js';
