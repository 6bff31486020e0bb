/** An import into a sandbox that lives as long as the rehearsal. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '../api/index.js';
import { type ImportRun, importDocuments, type Mapping } from '../index.js';
import { startSandbox } from '../sandbox/index.js';
import { followRun, type Tell } from './jobs.js';

const MONITORING = 1;
/** Documents that are shown as the service answers with them. */
const SHOWN = 10;

/** What is rehearsed. */
interface Rehearsal {
  readonly file: string;
  readonly mapping: Mapping;
  readonly signal: AbortSignal;
}

/** Imports the file, and tells what the service would show of it. */
export async function rehearse(
  { file, mapping, signal }: Rehearsal,
  tell: Tell,
): Promise<Awaited<ImportRun>> {
  // A large import would not fit into memory.
  const data = await mkdtemp(path.join(tmpdir(), 'docferry-rehearsal-'));
  const sandbox = await startSandbox({ data });
  try {
    await sandbox.ensureMonitoring(MONITORING, 'Rehearsal');
    const { baseUrl, username, apiKey } = sandbox;
    const connection = { baseUrl, username, apiKey };
    const run = importDocuments({
      input: [file],
      mapping,
      monitoring: MONITORING,
      connection,
      // The sandbox stores all documents of a call or none.
      refusals: 'atomic',
      throwOn: 'never',
      signal,
    });
    const report = await followRun(run, tell);
    if (!signal.aborted) tell({ type: 'documents', documents: await firstDocuments(connection) });
    return report;
  } finally {
    await sandbox.close();
    await rm(data, { recursive: true, force: true });
  }
}

async function firstDocuments(
  connection: Parameters<typeof createClient>[0],
): Promise<readonly unknown[]> {
  const client = createClient(connection);
  try {
    for await (const { documents } of client.feed({ monitorings: [MONITORING] })) {
      return documents.slice(0, SHOWN);
    }
    return [];
  } finally {
    await client.close();
  }
}
