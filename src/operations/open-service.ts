import { setMaxListeners } from 'node:events';
import { openTransport } from '../api/http-transport.js';
import { postDocuments } from '../api/import-documents.js';
import { checkAccess, type Refusal } from '../delivery/check-access.js';
import { type ShowPage, servicePages } from '../delivery/reconciliation/pages.js';
import type { SendingPort } from '../delivery/send-batches.js';
import { rangeBytes } from '../model/documents.js';
import { monitoringId, type SendingOptions } from './check-options.js';
import type { ImportOptions } from './options.js';
import type { PreparedRun } from './pipeline/prepare-run.js';

/** One monitoring of the service, as a run needs it. */
export interface Service extends Pick<SendingPort, 'send'> {
  readonly target: NonNullable<PreparedRun['target']>;
  /** Whether documents can be sent at all; `undefined`: they can. */
  readonly access: (signal: AbortSignal) => Promise<Refusal | undefined>;
  /** What the service shows, page by page. */
  readonly page: ShowPage;
  /** Waits for calls in flight. */
  close(): Promise<void>;
}

/**
 * Opens the way to one monitoring; nothing is sent yet.
 * @throws OptionError if the connection or the id can't be used
 */
export function openService(
  options: Pick<ImportOptions, 'connection' | 'monitoring' | 'signal' | 'abandonSignal'>,
  { connections }: Pick<SendingOptions, 'connections'>,
): Service {
  const monitoring = monitoringId(options.monitoring);
  const transport = openTransport(options.connection, connections);
  // Each request in flight listens to it, and there may be many.
  if (options.abandonSignal !== undefined) setMaxListeners(0, options.abandonSignal);
  return {
    target: { baseUrl: transport.baseUrl, monitoring },
    access: (signal) => checkAccess(transport, monitoring, signal),
    send: ({ ranges }) =>
      postDocuments(transport, monitoring, ranges.map(rangeBytes), options.abandonSignal),
    page: servicePages(transport, monitoring),
    close: () => transport.close(),
  };
}
