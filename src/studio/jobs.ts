/** What takes longer than a request should: a check of the whole file, a rehearsal. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '../api/index.js';
import { type ImportRun, importDocuments, type Mapping } from '../index.js';
import { startSandbox } from '../sandbox/index.js';
import { refusalOf, StudioRefusal } from './requests.js';
import type { RunLine } from './wire.js';

/** Tells the page something. */
export type Tell = (line: RunLine) => void;

type Work = (tell: Tell, signal: AbortSignal) => Promise<void>;

const PROGRESS_MS = 200;

/** Does one thing at a time, and tells of it line by line; it stops when nobody listens. */
export class Jobs {
  #running: { readonly ended: Promise<void>; readonly stop: AbortController } | undefined;

  /** @throws StudioRefusal if another one is running */
  async start(work: Work): Promise<Response> {
    if (this.#running?.stop.signal.aborted) await this.#running.ended;
    if (this.#running !== undefined) {
      throw new StudioRefusal(
        409,
        'Another check or rehearsal is running: wait for it, or cancel it.',
      );
    }
    const stop = new AbortController();
    const { readable, writable } = new TransformStream<string, string>();
    const writer = writable.getWriter();
    // The page has gone.
    writer.closed.catch(() => stop.abort());
    const tell: Tell = (line) => {
      writer.write(`${JSON.stringify(line)}\n`).catch(() => stop.abort());
    };
    const ended = this.#run(() => work(tell, stop.signal), tell).finally(() => {
      this.#running = undefined;
      writer.close().catch(() => {});
    });
    this.#running = { ended, stop };
    return new Response(readable.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    });
  }

  /** Stops what is running, and waits for its end. */
  async close(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  async #run(work: () => Promise<void>, tell: Tell): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message, details } = refusalOf(error);
      tell({ type: 'failed', message, ...details });
    }
  }
}

/** Tells how far a run is, and gives its report. */
export async function followRun(run: ImportRun, tell: Tell): Promise<Awaited<ImportRun>> {
  let told = 0;
  const tick = (): void => {
    const notices = run.notices() ?? [];
    for (const message of notices.slice(told)) tell({ type: 'notice', message });
    told = notices.length;
    const progress = run.progress();
    if (progress !== undefined) tell({ type: 'progress', progress });
  };
  const timer = setInterval(tick, PROGRESS_MS);
  try {
    const report = await run;
    tick();
    return report;
  } finally {
    clearInterval(timer);
  }
}

const MONITORING = 1;
/** Documents that are shown as the service answers with them. */
const SHOWN = 10;

/** What is rehearsed. */
interface Rehearsal {
  readonly file: string;
  readonly mapping: Mapping;
  readonly signal: AbortSignal;
}

/** Imports the file into a sandbox that lives as long as that, and tells what the service would show. */
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
