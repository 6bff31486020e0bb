import { setMaxListeners } from 'node:events';
import { DocferryError } from '../model/errors.js';
import type { SingerConfig } from './config.js';
import { type BeginRun, Epoch } from './epoch.js';
import { type EpochRefusal, judgeEpoch, Notices, notAccepted } from './judge-epoch.js';
import { Inbox, type Line, readLines } from './lines.js';
import { type Message, readMessage, stateValue, wrong } from './messages.js';
import { Totals } from './summary.js';

/** What a target works with. */
export interface TargetContext {
  readonly config: SingerConfig;
  /** What the tap writes. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly begin: BeginRun;
  /** Removes what epochs have left on the disk and nobody needs; called now and then. */
  readonly prune: () => Promise<void>;
  /** Writes a state as one line; resolves when it is written. */
  readonly emit: (state: string) => Promise<void>;
  /** Tells a person something. */
  readonly say: (message: string) => void;
  /** Aborted: stop reading, and end what is begun. */
  readonly signal: AbortSignal;
}

/** How a target ended. */
export interface TargetEnd {
  readonly exitCode: number;
  /** Why it ended before the tap's output did; `null` if it didn't. */
  readonly stop: string | null;
  /** Lines that were read. */
  readonly lines: number;
  readonly states: { readonly read: number; readonly written: number };
  readonly totals: Totals;
}

/** Records of an epoch, at most, beyond those after which the first state ends it. */
const MAX_RECORDS_WITHOUT_STATE = 90_000;

const INTERRUPTED =
  'The target was interrupted: start the tap again from the last state that was written.';

/** So many epochs may leave their runs on the disk before it is looked after. */
const EPOCHS_BETWEEN_PRUNING = 50;

const DEFAULT_EPOCH = { records: 10_000, seconds: 10 } as const;

/**
 * Imports what a tap writes, epoch by epoch, and writes each state once every record before it is
 * accepted, or accounted for. What is wrong with a line ends it in good order: what came before is
 * imported, and its state written.
 * @throws DocferryError if runs can't begin
 */
export async function startTarget(context: TargetContext): Promise<TargetEnd> {
  return await new Target(context).run();
}

class Target {
  readonly #context: TargetContext;
  readonly #inbox: Inbox;
  readonly #notices: Notices;
  readonly #totals: Totals;
  readonly #limits: { readonly records: number; readonly seconds: number };
  /** Streams whose SCHEMA message came. */
  readonly #described = new Set<string>();
  #epoch: Epoch;
  /** When its first message came, in milliseconds since 1970; `undefined`: none has. */
  #begunMs: number | undefined;
  /** The last state that was not written yet. */
  #state: Line | undefined;
  #lines = 0;
  #readToEnd = false;
  #statesRead = 0;
  #statesWritten = 0;
  /** Records that were not accepted, where states are written all the same. */
  #leftOut = 0;
  #refusal: EpochRefusal | undefined;

  constructor(context: TargetContext) {
    const { config, input, signal, say } = context;
    this.#context = context;
    // Each stream of an epoch listens to it.
    setMaxListeners(0, signal);
    this.#inbox = new Inbox(readLines(input), signal);
    this.#notices = new Notices(say);
    this.#totals = new Totals(Object.keys(config.streams));
    this.#limits = { ...DEFAULT_EPOCH, ...config.epoch };
    this.#epoch = this.#newEpoch();
  }

  async run(): Promise<TargetEnd> {
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
    return this.#end(failure);
  }

  /** @param failure what is wrong with what the tap wrote */
  #end(failure: DocferryError | undefined): TargetEnd {
    const isInterrupted = this.#context.signal.aborted && !this.#readToEnd;
    const interrupted = isInterrupted ? { exitCode: 130, message: INTERRUPTED } : undefined;
    const reasons = [this.#refusal, failure, interrupted].filter((reason) => reason !== undefined);
    return {
      exitCode: reasons[0]?.exitCode ?? (this.#leftOut > 0 ? 1 : 0),
      stop: reasons.length === 0 ? null : reasons.map(({ message }) => message).join('\n'),
      lines: this.#lines,
      states: { read: this.#statesRead, written: this.#statesWritten },
      totals: this.#totals,
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

  /** How long the epoch may last from now on, in milliseconds. */
  #dueMs(): number | undefined {
    if (this.#begunMs === undefined) return undefined;
    return this.#begunMs + this.#limits.seconds * 1_000 - Date.now();
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
        if (!this.#described.has(message.stream)) throw withoutSchema(message.stream, line);
        await this.#epoch.add(message.stream, message.record, line.number);
        // A run takes a moment to begin, which is not to be the whole epoch.
        this.#begunMs ??= Date.now();
        return;
      case 'SCHEMA':
        if (this.#isImported(message.stream, line)) this.#described.add(message.stream);
        return;
      case 'STATE':
        this.#statesRead += 1;
        this.#begunMs ??= Date.now();
        this.#state = line;
        return;
      case 'BATCH':
        throw wrong(
          line.number,
          'is a BATCH message, which names files instead of holding records: turn batches off in the tap (batch_config)',
        );
      default:
        this.#notices.unused(message, line.number);
    }
  }

  /** @throws SourceBrokenError for a stream that is neither imported nor meant to be skipped */
  #isImported(stream: string, { number }: Line): boolean {
    const { streams, otherStreams = 'error' } = this.#context.config;
    if (Object.hasOwn(streams, stream)) return true;
    if (otherStreams === 'skip') {
      this.#notices.skipped(stream, number);
      return false;
    }
    const known = Object.keys(streams).join(', ');
    throw wrong(
      number,
      `is of the stream ${JSON.stringify(stream)}, which the config does not name (it names ${known}): add it with a mapping, deselect it in the tap, or set otherStreams to "skip"`,
    );
  }

  /** @param message the last one */
  #isFull({ type }: Message): boolean {
    const { records, stopped } = this.#epoch;
    const most = this.#limits.records + (type === 'STATE' ? 0 : MAX_RECORDS_WITHOUT_STATE);
    return stopped || records >= most || (this.#dueMs() ?? 1) <= 0;
  }

  /** Waits for what was begun, and writes the state that came with it. */
  async #endEpoch(): Promise<void> {
    const epoch = this.#epoch;
    this.#epoch = this.#newEpoch();
    this.#begunMs = undefined;
    const { ends, errors } = await epoch.end();
    if (ends.length > 0) this.#totals.add(ends);
    this.#refusal = judgeEpoch(ends, this.#context.config);
    if (errors.length > 0) this.#fail(errors[0]);
    if (this.#refusal !== undefined) return;
    for (const end of ends) this.#leftOut += notAccepted(end, this.#context.config);
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

  /** @throws what is no error for a person */
  #fail(error: unknown): void {
    if (!(error instanceof DocferryError)) throw error;
    const { exitCode, message } = error;
    this.#refusal ??= { exitCode, message };
  }

  #newEpoch(): Epoch {
    const { begin, signal } = this.#context;
    const follow: BeginRun = (stream, records) => {
      const run = begin(stream, records);
      this.#notices.follow(stream, run);
      return run;
    };
    return new Epoch(follow, signal);
  }
}

/** A tap sends the schema first: usually lines are missing. */
function withoutSchema(stream: string, { number }: Line): DocferryError {
  return wrong(
    number,
    `is a record of the stream ${JSON.stringify(stream)}, and no SCHEMA message of that stream came before: have the tap send one`,
  );
}
