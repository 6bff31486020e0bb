import { type ChildProcess, spawn } from 'node:child_process';
import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BrokenInput } from '../../input/broken-input.js';
import type { DecoderAnswer, DecoderRequest } from './run-decoder.js';

/** The compiled program, also where the sources themselves run, as they do under test. */
const PROGRAM = fileURLToPath(
  new URL('../../../dist/formats/parquet/run-decoder.js', import.meta.url),
);
/** Starting one takes as long as decoding a megabyte, so it waits a little for the next file. */
const IDLE_MS = 5000;
const MIB = 1024 * 1024;

/** How much memory decoding may take. */
export interface DecoderMemory {
  /** Most for JavaScript objects. */
  readonly heapMib: number;
  /** Most altogether: compressed and decompressed data are beside the objects. */
  readonly memoryMib: number;
}

/** A process that decodes Parquet files, one after another, and answers one request at a time. */
export class DecoderProcess {
  readonly #memory: DecoderMemory;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<DecoderAnswer[]>;
  #idle: NodeJS.Timeout | undefined;

  /** One that waits for its next file, or a new one. */
  static take(memory: DecoderMemory): DecoderProcess {
    const taken = idle;
    if (taken === undefined || taken.#memory !== memory) return new DecoderProcess(memory);
    idle = undefined;
    clearTimeout(taken.#idle);
    if (taken.#hasEnded) return new DecoderProcess(memory);
    taken.#hold(true);
    return taken;
  }

  private constructor(memory: DecoderMemory) {
    this.#memory = memory;
    const flags = [`--max-old-space-size=${memory.heapMib}`];
    this.#child = spawn(process.execPath, [...flags, PROGRAM, String(memory.memoryMib * MIB)], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: environment(),
      windowsHide: true,
    });
    // After its end, and after all that it has sent.
    this.#answers = on(this.#child, 'message', { close: ['close'] })[Symbol.asyncIterator]();
  }

  /** That it is gone is seen where its answers end. */
  send(request: DecoderRequest): void {
    this.#child.send(request, () => {});
  }

  /**
   * What it tells next; `undefined` when it has ended.
   * @throws BrokenInput if no process can be started
   */
  async next(): Promise<DecoderAnswer | undefined> {
    const step = await this.#answers.next().catch((error: unknown) => {
      throw notStarted(error as NodeJS.ErrnoException);
    });
    return step.done ? undefined : step.value[0];
  }

  /** How it has ended: `SIGABRT`, `exit code 1`. */
  get end(): string {
    const { signalCode, exitCode } = this.#child;
    return signalCode ?? `exit code ${exitCode}`;
  }

  /** Lets it wait for another file, if no request is in flight. */
  giveBack(): void {
    if (idle !== undefined || this.#hasEnded) {
      this.kill();
      return;
    }
    this.#hold(false);
    idle = this;
    this.#idle = setTimeout(() => {
      idle = undefined;
      this.kill();
    }, IDLE_MS).unref();
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  get #hasEnded(): boolean {
    return this.#child.killed || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Whether this process waits for it before it comes to its own end. */
  #hold(held: boolean): void {
    const act = held ? 'ref' : 'unref';
    this.#child[act]();
    this.#child.channel?.[act]();
  }
}

let idle: DecoderProcess | undefined;

/** What is meant for the run, such as options for Node.js and keys, is not meant for the process. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE|DOCFERRY)_/i.test(name)),
  );
}

function notStarted({ code, message }: NodeJS.ErrnoException): BrokenInput {
  return new BrokenInput(
    `the process that decodes Parquet can't be started (${code ?? message})`,
    'Let docferry start processes of Node.js, or export the file as JSON Lines.',
  );
}
