/** What takes longer than a request should: a check of the whole file, a rehearsal. */
import type { ImportRun } from '../index.js';
import { refusalOf, StudioRefusal } from './refusal.js';
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
