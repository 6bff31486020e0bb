import { setMaxListeners } from 'node:events';
import { DocferryError } from '../model/errors.js';
import { countNotAccepted, type EpochRefusal, Notices, refusalOfEpoch } from './check-epoch.js';
import type { SingerConfig } from './config.js';
import { Epoch, type StartImport } from './epoch.js';
import { type Line, LineReader, splitLines } from './lines.js';
import { lineError, type Message, readMessage, stateValue } from './messages.js';
import { type TargetReport, Totals } from './summary.js';

export interface TargetContext {
  readonly config: SingerConfig;
  readonly input: AsyncIterable<Uint8Array>;
  readonly begin: StartImport;
  /** Removes old runs; called now and then. */
  readonly prune: () => Promise<void>;
  /** Writes a state as one line; resolves once it is written. */
  readonly emit: (state: string) => Promise<void>;
  readonly log: (message: string) => void;
  /** Aborted: stop reading, and finish the current epoch. */
  readonly signal: AbortSignal;
}

/** Maximum number of records of an epoch beyond the limit after which the next state ends it. */
const MAX_RECORDS_WITHOUT_STATE = 90_000;

const INTERRUPTED =
  'The target was interrupted: start the tap again from the last state that was written.';

const EPOCHS_BETWEEN_PRUNING = 50;

const DEFAULT_EPOCH = { records: 10_000, seconds: 10 } as const;

/**
 * Imports the tap's output, epoch by epoch, and writes each state once every record before it is
 * accepted or accounted for. A bad line ends the target in good order: records before it are
 * imported, and their state is written.
 * @throws DocferryError if runs can't start
 */
export async function startTarget(context: TargetContext): Promise<TargetReport> {
  return await new Target(context).run();
}

class Target {
  readonly #context: TargetContext;
  readonly #inbox: LineReader;
  readonly #notices: Notices;
  readonly #totals: Totals;
  readonly #limits: { readonly records: number; readonly seconds: number };
  readonly #described = new Set<string>();
  readonly #beganMs = Date.now();
  #epoch: Epoch;
  /** Time of its first message, in milliseconds since 1970; `undefined` before that. */
  #startedMs: number | undefined;
  /** Last state that isn't written yet. */
  #state: Line | undefined;
  #lines = 0;
  #readToEnd = false;
  #statesRead = 0;
  #statesWritten = 0;
  /** Number of records that weren't accepted, where states are written anyway. */
  #notAccepted = 0;
  #refusal: EpochRefusal | undefined;

  constructor(context: TargetContext) {
    const { config, input, signal, log } = context;
    this.#context = context;
    // Each stream of an epoch adds a listener.
    setMaxListeners(0, signal);
    this.#inbox = new LineReader(splitLines(input), signal);
    this.#notices = new Notices(log);
    this.#totals = new Totals(Object.keys(config.streams));
    this.#limits = { ...DEFAULT_EPOCH, ...config.epoch };
    this.#epoch = this.#newEpoch();
  }

  async run(): Promise<TargetReport> {
    let failure: DocferryError | undefined;
    try {
      await this.#context.prune();
      await this.#readAll();
    } catch (error) {
      if (!(error instanceof DocferryError)) {
        await this.#epoch.end();
        throw error;
      }
      failure = error;
    } finally {
      this.#inbox.close();
    }
    if (this.#refusal === undefined) await this.#endEpoch();
    return this.#report(failure);
  }

  #report(failure: DocferryError | undefined): TargetReport {
    const isInterrupted = this.#context.signal.aborted && !this.#readToEnd;
    const interrupted = isInterrupted ? { exitCode: 130, message: INTERRUPTED } : undefined;
    const reasons = [this.#refusal, failure, interrupted].filter((reason) => reason !== undefined);
    const [first] = reasons;
    const stopped = first?.exitCode === 130 ? 'interrupted' : 'stopped';
    return {
      command: 'target-singer',
      status: first === undefined ? 'finished' : stopped,
      stop: first === undefined ? null : reasons.map(({ message }) => message).join('\n'),
      exitCode: first?.exitCode ?? (this.#notAccepted > 0 ? 1 : 0),
      monitoring: this.#context.config.monitoring,
      lines: this.#lines,
      ...this.#totals.figures(),
      states: { read: this.#statesRead, written: this.#statesWritten },
      elapsedMs: Date.now() - this.#beganMs,
    };
  }

  async #readAll(): Promise<void> {
    while (this.#refusal === undefined) {
      const arrival = await this.#inbox.next(this.#dueMs());
      if (arrival === 'end') this.#readToEnd = true;
      if (arrival === 'end' || arrival === 'interrupted') return;
      if (arrival === 'due') await this.#endEpoch();
      else await this.#takeAll(arrival);
    }
  }

  /** Milliseconds until the epoch is due to end; `undefined` if it hasn't started. */
  #dueMs(): number | undefined {
    if (this.#startedMs === undefined) return undefined;
    return this.#startedMs + this.#limits.seconds * 1_000 - Date.now();
  }

  async #takeAll(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      if (this.#context.signal.aborted || this.#refusal !== undefined) return;
      this.#lines = line.number;
      const message = readMessage(line);
      await this.#take(message, line);
      if (this.#isFull(message)) await this.#endEpoch();
    }
  }

  async #take(message: Message, line: Line): Promise<void> {
    switch (message.type) {
      case 'RECORD':
        if (!this.#isImported(message.stream, line)) return this.#totals.skip(message.stream);
        // Lines are usually missing then.
        if (!this.#described.has(message.stream)) {
          throw lineError(
            line.number,
            `is a record of the stream ${JSON.stringify(message.stream)}, which had no SCHEMA message before: have the tap send one`,
          );
        }
        await this.#epoch.add(message.stream, message.record, line.number);
        // Start the clock only now: starting a run takes a moment, which mustn't use up the epoch.
        this.#startedMs ??= Date.now();
        return;
      case 'SCHEMA':
        if (this.#isImported(message.stream, line)) this.#described.add(message.stream);
        return;
      case 'STATE':
        this.#statesRead += 1;
        this.#startedMs ??= Date.now();
        this.#state = line;
        return;
      case 'BATCH':
        throw lineError(
          line.number,
          'is a BATCH message, which names files instead of holding records: turn batches off in the tap (batch_config)',
        );
      default:
        this.#notices.unused(message, line.number);
    }
  }

  /** @throws SourceBrokenError for a stream that is neither imported nor to be skipped */
  #isImported(stream: string, { number }: Line): boolean {
    const { streams, otherStreams = 'error' } = this.#context.config;
    if (Object.hasOwn(streams, stream)) return true;
    if (otherStreams === 'skip') {
      this.#notices.skipped(stream, number);
      return false;
    }
    const known = Object.keys(streams).join(', ');
    throw lineError(
      number,
      `is of the stream ${JSON.stringify(stream)}, which is not in the config (its streams: ${known}): add it with a mapping, deselect it in the tap, or set otherStreams to "skip"`,
    );
  }

  #isFull({ type }: Message): boolean {
    const { records, stopped } = this.#epoch;
    const most = this.#limits.records + (type === 'STATE' ? 0 : MAX_RECORDS_WITHOUT_STATE);
    return stopped || records >= most || (this.#dueMs() ?? 1) <= 0;
  }

  /** Waits for the runs of the epoch, and writes its last state. */
  async #endEpoch(): Promise<void> {
    const epoch = this.#epoch;
    this.#epoch = this.#newEpoch();
    this.#startedMs = undefined;
    const { ends, errors } = await epoch.end();
    if (ends.length > 0) this.#totals.add(ends);
    this.#refusal = refusalOfEpoch(ends, this.#context.config);
    if (errors.length > 0) this.#fail(errors[0]);
    if (this.#refusal !== undefined) return;
    for (const end of ends) this.#notAccepted += countNotAccepted(end, this.#context.config);
    const state = this.#state;
    if (state !== undefined) await this.#write(state);
    this.#notices.epoch(this.#totals.epochs, ends, state?.number);
    if (ends.length > 0 && this.#totals.epochs % EPOCHS_BETWEEN_PRUNING === 0) {
      await this.#context.prune();
    }
  }

  async #write(state: Line): Promise<void> {
    this.#state = undefined;
    try {
      await this.#context.emit(stateValue(state.text));
      this.#statesWritten += 1;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @throws any error that isn't a DocferryError */
  #fail(error: unknown): void {
    if (!(error instanceof DocferryError)) throw error;
    this.#refusal ??= error;
  }

  #newEpoch(): Epoch {
    const { begin, signal } = this.#context;
    const follow: StartImport = (stream, records) => {
      const run = begin(stream, records);
      this.#notices.follow(stream, run);
      return run;
    };
    return new Epoch(follow, signal);
  }
}
