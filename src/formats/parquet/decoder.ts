import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { abortable } from '../../input/pieces.js';
import { BrokenInput } from '../../input/raw-input.js';
import type { Seekable, SeekableInput } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import type { DecoderMessage } from './run-decoder.js';

/** The compiled program, also where the sources themselves run, as they do under test. */
const PROGRAM = fileURLToPath(
  new URL('../../../dist/formats/parquet/run-decoder.js', import.meta.url),
);
const MIB = 1024 * 1024;
const SECOND_MS = 1000;

/** Bounds of decoding; other than the default only under test. */
export interface DecoderBounds {
  readonly memory: {
    /** Most for JavaScript objects. */
    readonly heapMib: number;
    /** Most in all, with compressed and decompressed data, which are outside of the heap. */
    readonly memoryMib: number;
  };
  /** How long to wait for the next rows. */
  readonly patienceSeconds: number;
}

const DEFAULT_BOUNDS: DecoderBounds = {
  memory: { heapMib: 2048, memoryMib: 4096 },
  patienceSeconds: 300,
};

const REMEDY =
  'Fetch the whole file again, or export it as JSON Lines. If it is sound, write it with smaller row groups.';

/**
 * Reads a Parquet file's footer.
 * @throws SourceError, BrokenInput
 */
export async function openParquet({ name, seekable }: BinaryFile): Promise<Opened> {
  let count = '';
  for await (const piece of piecesOf(seekable, new Decoder(), 'count')) count += String(piece);
  return {
    layout: { format: 'parquet' },
    notices: count === '0' ? [`${name} has no rows: there are no records in it.`] : [],
    chunks: ({ source, limits, counted, signal }) => {
      const decoder = new Decoder();
      const close = (): void => {
        decoder.stop();
        seekable.release();
      };
      const lines = abortable(piecesOf(seekable, decoder, 'rows', counted), close, signal);
      return cutLines(lines, { source, limits }, 1);
    },
    close: () => seekable.release(),
  };
}

async function* piecesOf(
  seekable: SeekableInput,
  decoder: Decoder,
  wanted: 'rows' | 'count',
  counted?: (bytes: number) => void,
): AsyncGenerator<Buffer, void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* decoder.pieces(bytes, wanted, counted);
  } finally {
    bytes.close();
  }
}

/**
 * Decodes a Parquet file in a process of its own. The reader trusts what pages state about
 * themselves, so a file can make it take any memory or never end. A thread would not do: V8 aborts
 * the whole process if one allocation is larger than what is left of a thread's heap.
 */
export class Decoder {
  readonly #bounds: DecoderBounds;
  #process: ChildProcess | undefined;
  #stopped = false;

  constructor(bounds: DecoderBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds;
  }

  /**
   * The rows of a file as lines of JSON, or their number as text.
   * @param counted is told how many bytes each row group has in the file
   * @throws BrokenInput after all rows of the row groups before, however the process ends
   */
  async *pieces(
    bytes: Seekable,
    wanted: 'rows' | 'count',
    counted: (bytes: number) => void = () => {},
  ): AsyncGenerator<Buffer, void, undefined> {
    if (this.#stopped) return;
    const decoder = start(bytes, wanted, this.#bounds);
    this.#process = decoder;
    let part = 'its footer';
    let end: Exclude<DecoderMessage, { kind: 'group' }> | undefined;
    decoder.on('message', (message: DecoderMessage) => {
      if (message.kind !== 'group') end = message;
      else {
        part = `its row group ${message.index + 1}`;
        counted(message.bytes);
      }
    });
    // After the process' end, and after all that it has sent.
    const closed = once(decoder, 'close');
    closed.catch(() => {});
    const patience = new Patience(this.#bounds.patienceSeconds, () => this.stop());
    try {
      yield* patience.with((decoder.stdout ?? []) as AsyncIterable<Buffer>);
      await closed.catch((error: NodeJS.ErrnoException) => {
        throw notStarted(error);
      });
      if (end?.kind === 'broken') throw new BrokenInput(end.reason, end.remedy);
      if (end === undefined) throw this.#death(decoder, part, patience.isOver);
    } finally {
      this.stop();
    }
  }

  /** Ends the process at once. */
  stop(): void {
    this.#stopped = true;
    this.#process?.kill('SIGKILL');
  }

  #death({ signalCode, exitCode }: ChildProcess, part: string, tookTooLong: boolean): BrokenInput {
    const { memory, patienceSeconds } = this.#bounds;
    const reason = tookTooLong
      ? `decoding ${part} takes longer than ${patienceSeconds} seconds`
      : `decoding ${part} takes more memory than there is for it (${memory.heapMib} MiB for values, ${memory.memoryMib} MiB in all), or makes the decoder fail (${signalCode ?? `exit code ${exitCode}`})`;
    return new BrokenInput(reason, REMEDY);
  }
}

/** Bounds how long the next piece is waited for. */
class Patience {
  isOver = false;
  readonly #seconds: number;
  readonly #giveUp: () => void;

  constructor(seconds: number, giveUp: () => void) {
    this.#seconds = seconds;
    this.#giveUp = giveUp;
  }

  async *with<T>(pieces: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    // Seconds are counted one by one: a run that is suspended doesn't wait.
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

/** The decoder reads the file from a descriptor that it inherits, and writes to its stdout. */
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

/** The environment without options for Node.js and keys, which are meant for the run alone. */
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
