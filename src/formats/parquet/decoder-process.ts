import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BrokenInput } from '../../input/broken-input.js';
import { LineSplitter } from './line-splitter.js';

/** The compiled program, also where the sources themselves run, as they do under test. */
const FILE = fileURLToPath(
  import.meta.url.replace('/src/formats/', '/dist/formats/').replace(/[^/]+$/, 'run-decoder.js'),
);

const MIB = 1024 * 1024;

/** How much memory decoding may take. */
export interface DecoderMemory {
  /** Most for JavaScript objects. */
  readonly heapMib: number;
  /** Most altogether: packed and unpacked data are beside the objects. */
  readonly memoryMib: number;
}

/** A process that decodes Parquet files, one after another. */
export class DecoderProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #closed: Promise<unknown>;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #splitter = new LineSplitter();

  /** @throws BrokenInput if no process can be started */
  constructor({ heapMib, memoryMib }: DecoderMemory) {
    const flags = [`--max-old-space-size=${heapMib}`];
    this.#child = spawn(process.execPath, [...flags, FILE, String(memoryMib * MIB)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: environment(),
      windowsHide: true,
    });
    let failure: Error | undefined;
    this.#child.on('error', (error) => {
      failure = error;
    });
    if (this.#child.pid === undefined) throw notStarted(failure);
    this.#closed = once(this.#child, 'close');
    this.#closed.catch(() => {});
    // That it is gone is seen where its lines end.
    this.#child.stdin.on('error', () => {});
    this.#pieces = this.#child.stdout[Symbol.asyncIterator]();
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  send(bytes: Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  /** The lines that come next, at least one; `undefined` when it has ended. */
  async next(): Promise<readonly string[] | undefined> {
    for (;;) {
      const { value, done } = await this.#pieces.next();
      if (done) return undefined;
      const lines = this.#splitter.add(value);
      if (lines.length > 0) return lines;
    }
  }

  /** How it has ended: `SIGABRT`, `exit code 1`. */
  async end(): Promise<string> {
    await this.#closed;
    const { signalCode, exitCode } = this.#child;
    return signalCode ?? `exit code ${exitCode}`;
  }

  /** Whether this process waits for it before it comes to its own end. */
  hold(held: boolean): void {
    const act = held ? 'ref' : 'unref';
    this.#child[act]();
    (this.#child.stdin as Socket)[act]();
    (this.#child.stdout as Socket)[act]();
  }

  /** Ends it at once. What it has written can still be read, unless it is dropped. */
  kill(dropped = true): void {
    this.#child.kill('SIGKILL');
    // What nobody reads would keep this process from its end.
    if (dropped) this.#child.stdout.destroy();
  }
}

/** What is meant for the run, such as options for Node.js and keys, is not meant for the process. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE|DOCFERRY)_/i.test(name)),
  );
}

function notStarted(error: NodeJS.ErrnoException | undefined): BrokenInput {
  return new BrokenInput(
    `the process that decodes Parquet can't be started (${error?.code ?? 'for an unknown reason'})`,
    'Let docferry start processes of Node.js, or export the file as JSON Lines.',
  );
}
