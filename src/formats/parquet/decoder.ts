import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { abortable } from '../../input/pieces.js';
import { BrokenInput } from '../../input/raw-input.js';
import type { Seekable, SeekableInput } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import type { DecoderMessage } from './run-decoder.js';

/** Compiled program; tests use it too, although they run the sources. */
const PROGRAM = fileURLToPath(
  new URL('../../../dist/formats/parquet/run-decoder.js', import.meta.url),
);
const MIB = 1024 * 1024;
const SECOND_MS = 1000;

/** Limits for decoding; tests use others than the default. */
export interface DecoderBounds {
  readonly memory: {
    /** For JavaScript objects. */
    readonly heapMib: number;
    /** In total, with buffers outside of the heap. */
    readonly memoryMib: number;
  };
  /** Longest wait for the next rows. */
  readonly patienceSeconds: number;
}

const DEFAULT_BOUNDS: DecoderBounds = {
  memory: { heapMib: 2048, memoryMib: 4096 },
  patienceSeconds: 300,
};

const REMEDY =
  "Download or copy the whole file again, or export it as JSON Lines. If it isn't damaged, write it with smaller row groups.";

/** @throws SourceError, BrokenInput */
export async function openParquet({ name, seekable }: BinaryFile): Promise<Opened> {
  let count = '';
  for await (const piece of piecesOf(seekable, new Decoder(), 'count')) count += String(piece);
  return {
    layout: { format: 'parquet' },
    notices: count === '0' ? [`${name} has no rows.`] : [],
    chunks: ({ source, limits, onBytes, signal }) => {
      const decoder = new Decoder();
      const close = (): void => {
        decoder.stop();
        seekable.release();
      };
      const lines = abortable(piecesOf(seekable, decoder, 'rows', onBytes), close, signal);
      return cutLines(lines, { source, limits }, 1);
    },
    close: () => seekable.release(),
  };
}

async function* piecesOf(
  seekable: SeekableInput,
  decoder: Decoder,
  wanted: 'rows' | 'count',
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* decoder.pieces(bytes, wanted, onBytes);
  } finally {
    bytes.close();
  }
}

/**
 * Decodes a Parquet file in a separate process. The decoder trusts the sizes in pages, so a file
 * can make it take any amount of memory or never finish. A thread isn't enough: V8 aborts the whole
 * process if an allocation exceeds a thread's heap.
 */
export class Decoder {
  readonly #bounds: DecoderBounds;
  #process: ChildProcess | undefined;
  #stopped = false;

  constructor(bounds: DecoderBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds;
  }

  /**
   * Yields the rows as lines of JSON, or their number as text.
   * @param onBytes called with the size of each row group in the file
   * @throws BrokenInput after all rows of the preceding row groups, however the process ends
   */
  async *pieces(
    bytes: Seekable,
    wanted: 'rows' | 'count',
    onBytes: (bytes: number) => void = () => {},
  ): AsyncGenerator<Buffer, void, undefined> {
    if (this.#stopped) return;
    const decoder = start(bytes, wanted, this.#bounds);
    this.#process = decoder;
    let partName = 'its footer';
    let end: Exclude<DecoderMessage, { kind: 'group' }> | undefined;
    decoder.on('message', (message: DecoderMessage) => {
      if (message.kind !== 'group') end = message;
      else {
        partName = `its row group ${message.index + 1}`;
        onBytes(message.bytes);
      }
    });
    // Emitted after the process has exited and its output was read.
    const closed = once(decoder, 'close');
    closed.catch(() => {});
    const patience = new Patience(this.#bounds.patienceSeconds, () => this.stop());
    try {
      yield* patience.with((decoder.stdout ?? []) as AsyncIterable<Buffer>);
      await closed.catch((error: NodeJS.ErrnoException) => {
        throw startError(error);
      });
      if (end?.kind === 'broken') throw new BrokenInput(end.reason, end.remedy);
      if (end === undefined) throw this.#death(decoder, partName, patience.isOver);
    } finally {
      this.stop();
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#process?.kill('SIGKILL');
  }

  #death(
    { signalCode, exitCode }: ChildProcess,
    partName: string,
    tookTooLong: boolean,
  ): BrokenInput {
    const { memory, patienceSeconds } = this.#bounds;
    const reason = tookTooLong
      ? `decoding ${partName} takes longer than ${patienceSeconds} seconds`
      : `decoding ${partName} takes more memory than allowed (${memory.heapMib} MiB for values, ${memory.memoryMib} MiB in all), or crashes the decoder (${signalCode ?? `exit code ${exitCode}`})`;
    return new BrokenInput(reason, REMEDY);
  }
}

/** Limits the wait for the next piece. */
class Patience {
  isOver = false;
  readonly #seconds: number;
  readonly #giveUp: () => void;

  constructor(seconds: number, giveUp: () => void) {
    this.#seconds = seconds;
    this.#giveUp = giveUp;
  }

  async *with<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    // Counts seconds, so that a suspended run doesn't time out.
    let waited: number | undefined = 0;
    const clock = setInterval(() => {
      if (waited !== undefined) waited += 1;
      if (waited !== this.#seconds) return;
      this.isOver = true;
      this.#giveUp();
    }, SECOND_MS);
    try {
      for await (const piece of pieces) {
        waited = undefined;
        yield piece;
        waited = 0;
      }
    } finally {
      clearInterval(clock);
    }
  }
}

/** Starts the decoder, which inherits the file's descriptor and writes to its stdout. */
function start(
  { descriptor }: Seekable,
  wanted: 'rows' | 'count',
  { memory }: DecoderBounds,
): ChildProcess {
  return fork(PROGRAM, [wanted, String(memory.memoryMib * MIB)], {
    execArgv: [`--max-old-space-size=${memory.heapMib}`],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc', descriptor],
    env: environment(),
  });
}

/** Copies the environment without Node.js options and keys. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE|DOCFERRY)_/i.test(name)),
  );
}

function startError({ code, message }: NodeJS.ErrnoException): BrokenInput {
  return new BrokenInput(
    `the process that decodes Parquet can't be started (${code ?? message})`,
    'Allow docferry to start Node.js processes, or export the file as JSON Lines.',
  );
}
