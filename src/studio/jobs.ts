/** Long-running work: validating the whole file, rehearsing its import in a sandbox, and importing it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ImportRun, importDocuments, type Report, type ValidateOptions } from '../index.js';
import { withProgramName } from '../report/program-name.js';
import { startSandbox } from '../sandbox/index.js';
import { StudioError, toStudioError } from './requests.js';
import type { JobLine } from './wire.js';

/** Sends a line to the page. */
export type Emit = (line: JobLine) => void;

type Work = (emit: Emit, signal: AbortSignal) => Promise<void>;

interface RunningJob {
  readonly name: string | undefined;
  readonly ended: Promise<void>;
  readonly stop: AbortController;
}

/** Options of a run over the whole file. */
export type WholeFileOptions = Pick<ValidateOptions, 'asOf'> &
  Required<Pick<ValidateOptions, 'input' | 'mapping' | 'signal' | 'throwOn'>>;

/** Interval between progress lines. */
const PROGRESS_MS = 200;

/** Runs one job at a time, streams its lines, and interrupts it when the page disconnects. */
export class Jobs {
  #running: RunningJob | undefined;

  /**
   * Starts a job; the response streams its lines as JSON.
   * @param name by which it can be interrupted; default: only its page can, by disconnecting
   * @throws StudioError if another job is running
   */
  async start(work: Work, name?: string): Promise<Response> {
    if (this.#running?.stop.signal.aborted) await this.#running.ended;
    if (this.#running !== undefined) {
      throw new StudioError(
        409,
        'Another check, rehearsal or import is running. Wait, or cancel it.',
      );
    }
    const stop = new AbortController();
    let isRead = true;
    const lines = new ReadableStream<string>({
      start: (stream) => {
        const emit: Emit = (line) => {
          if (isRead) stream.enqueue(`${JSON.stringify(line)}\n`);
        };
        const ended = work(emit, stop.signal)
          .catch((error: unknown) => {
            const { message, details } = toStudioError(error);
            emit({ type: 'failed', message, ...details });
          })
          .finally(() => {
            this.#running = undefined;
            if (isRead) stream.close();
          });
        this.#running = { name, ended, stop };
      },
      // The page has disconnected.
      cancel: () => {
        isRead = false;
        stop.abort();
      },
    });
    return new Response(lines.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    });
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Interrupts the job of this name if it runs. It still sends its report if it makes one. */
  interrupt(name: string): void {
    if (this.#running?.name === name) this.#running.stop.abort();
  }

  /** Interrupts the running job and waits until it has ended. */
  async close(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }
}

/** Emits a run's progress and notices until it ends; returns its report. */
export async function followRun(run: ImportRun, emit: Emit): Promise<Report> {
  let emitted = 0;
  const tick = (): void => {
    const notices = run.notices() ?? [];
    for (const message of notices.slice(emitted))
      emit({ type: 'notice', message: withProgramName(message) });
    emitted = notices.length;
    const progress = run.progress();
    if (progress !== undefined) emit({ type: 'progress', progress });
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

/** Imports the file into a temporary sandbox. */
export async function rehearse(options: WholeFileOptions, emit: Emit): Promise<Report> {
  // On disk: a large import would not fit into memory.
  const data = await mkdtemp(path.join(tmpdir(), 'docferry-rehearsal-'));
  const sandbox = await startSandbox({ data });
  try {
    await sandbox.ensureMonitoring(MONITORING, 'Rehearsal');
    const { baseUrl, username, apiKey } = sandbox;
    const connection = { baseUrl, username, apiKey };
    // The sandbox stores all documents of a call or none.
    const stateDir = path.join(data, 'state');
    const target = { monitoring: MONITORING, connection, refusals: 'atomic', stateDir } as const;
    return await followRun(importDocuments({ ...options, ...target }), emit);
  } finally {
    await sandbox.close();
    await rm(data, { recursive: true, force: true });
  }
}
