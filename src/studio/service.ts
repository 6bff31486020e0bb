/** The service that a studio may import into. Its key stays in this process: the page never has it. */

import { type Connection, createClient, type MonitoringSummary } from '../api/index.js';
import { type ImportOptions, importDocuments, type Report } from '../index.js';
import { type Emit, followRun } from './jobs.js';
import { readSaved } from './mapping-file.js';
import { StudioError } from './requests.js';

export interface StudioService {
  readonly connection: Connection;
  /** What the page calls it; default: its address. */
  readonly name?: string;
  /** Where runs are stored, and what is known of the service. */
  readonly options: Pick<ImportOptions, 'service' | 'refusals'> & StoredAt;
}

type StoredAt = { readonly stateDir: string } | { readonly state: string };

/** @throws ServiceError, AuthenticationError and others, as the client does */
export async function listMonitorings({
  connection,
}: StudioService): Promise<readonly MonitoringSummary[]> {
  const client = createClient(connection);
  try {
    return await client.monitorings.list();
  } finally {
    await client.close();
  }
}

/** Time for requests in flight after an interruption, in milliseconds, as a command has. */
const DRAIN_MS = 30_000;

interface FileImport {
  readonly input: readonly string[];
  /** Path of the mapping file, which commands read that resume the run. */
  readonly mapping: string;
  /** The mapping's text as the page knows it. */
  readonly text: string;
  readonly monitoring: number;
  readonly asOf: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Imports the file. An interrupted import has a report, too, and can be resumed.
 * @throws StudioError if the mapping file has a different text
 */
export async function importInto(
  { connection, options }: StudioService,
  { text, asOf, ...given }: FileImport,
  emit: Emit,
): Promise<Report> {
  if (readSaved(given.mapping)?.text !== text) {
    throw new StudioError(
      412,
      `${given.mapping} on the disk is not the mapping of this page. Save it, check the file, then import.`,
    );
  }
  const { signal } = given;
  const abandon = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abandonLater = (): void => {
    timer = setTimeout(() => abandon.abort(), DRAIN_MS);
  };
  signal.addEventListener('abort', abandonLater, { once: true });
  const whole = {
    ...given,
    ...options,
    connection,
    abandonSignal: abandon.signal,
    // For the report's page.
    survey: true,
    throwOn: 'never',
  } as const;
  try {
    const run = importDocuments(asOf === undefined ? whole : { ...whole, asOf });
    return await followRun(run, emit);
  } finally {
    signal.removeEventListener('abort', abandonLater);
    clearTimeout(timer);
  }
}
