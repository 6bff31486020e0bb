import { documentCalls } from '../../api/documents.js';
import type { Transport } from '../../api/http-transport.js';
import type { SourceCode } from '../../api/index.js';
import type { PagePort } from './port.js';

/** Where to look: the monitoring that the documents went to, and the `source` that they have. */
export interface Place {
  readonly monitoring: number;
  readonly source: SourceCode;
}

/** Asks the service for pages of one monitoring and source: `POST /documents`. */
export function servicePages(
  transport: Transport,
  { monitoring, source }: Place,
): PagePort['page'] {
  // No filter that warnings are about is set here.
  const documents = documentCalls({ transport, filterMethod: 'POST', warn: () => {} });
  return ({ from, to }, offset, signal) => {
    const span = { start: new Date(from), end: new Date(to) };
    return documents.page(
      { monitorings: monitoring, sources: [source], ...span, offset },
      { signal },
    );
  };
}
