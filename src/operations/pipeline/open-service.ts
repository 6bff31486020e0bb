import { setMaxListeners } from 'node:events';
import { postDocuments } from '../../api/post-documents.js';
import { openTransport } from '../../api/transport/http-transport.js';
import { checkAccess } from '../../delivery/classify-response.js';
import type { DeliveryService } from '../../delivery/context.js';
import { servicePages } from '../../delivery/reconciliation/service-pages.js';
import { rangeBytes } from '../../model/documents.js';
import { checkOption } from '../../model/options.js';
import { IMPORT_OPTIONS } from '../option-table.js';
import type { ImportOptions } from '../options.js';
import type { RunSettings } from '../settings.js';
import type { PipelineRun } from './pipeline-run.js';

/** Connection to one monitoring of the service. */
export interface Service extends DeliveryService {
  readonly target: NonNullable<PipelineRun['target']>;
  /** Waits for calls in flight. */
  close(): Promise<void>;
}

/**
 * Opens the connection to one monitoring. Nothing is sent yet.
 * @throws OptionError if the connection or the monitoring's id is invalid
 */
export function openService(
  options: Pick<ImportOptions, 'connection' | 'monitoring' | 'signal' | 'abandonSignal'>,
  { connections }: Pick<RunSettings, 'connections'>,
): Service {
  const { monitoring } = options;
  checkOption('monitoring', monitoring, IMPORT_OPTIONS.monitoring);
  const transport = openTransport(options.connection, connections);
  // Each request in flight adds a listener.
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
