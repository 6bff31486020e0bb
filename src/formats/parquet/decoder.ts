import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BrokenInput } from '../../input/broken-input.js';
import { abortable } from '../../input/pieces.js';
import type { Seekable, SeekableInput } from '../../input/seekable.js';
import { cutLines } from '../boundaries/cut-records.js';
import type { BinaryFile, Opened } from '../format.js';
import type { DecoderAnswer, DecoderRequest } from './run-decoder.js';

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
  /** How long a row group may take until its first rows come. */
  readonly patienceSeconds: number;
}

const DEFAULT_BOUNDS: DecoderBounds = {
  memory: { heapMib: 2048, memoryMib: 4096 },
  patienceSeconds: 300,
};

const REMEDY =
  'Fetch the whole file again, or export it as JSON Lines. If it is sound, write it with smaller row groups.';

/**
 * Decodes a Parquet file in a process of its own. The reader trusts what pages state about
 * themselves, so a file can make it take any memory or never end. A thread would not do: V8 aborts
 * the whole process if one allocation is larger than what is left of a thread's heap.
 */
export class Decoder {
  readonly #bounds: DecoderBounds;
  #process: ChildProcess | undefined;
  #stopped = false;
  /** Index of the row group that is being decoded. */
  #group: number | undefined;

  constructor(bounds: DecoderBounds = DEFAULT_BOUNDS) {
    this.#bounds = bounds;
  }

  /**
   * The answers up to the last rows.
   * @throws BrokenInput after all rows of the row groups before, however the process ends
   */
  async *answers(bytes: Seekable): AsyncGenerator<DecoderAnswer, void, undefined> {
    if (this.#stopped) return;
    const process = start(this.#bounds);
    this.#process = process;
    // Closed after the process' end, and after all that it has sent.
    const answers = on(process, 'message', { close: ['close'] });
    const ask = (request: DecoderRequest): Promise<DecoderAnswer> => {
      const answer = this.#ask(process, answers, request, bytes);
      // A caller that stops early doesn't wait for the next one.
      answer.catch(() => {});
      return answer;
    };
    try {
      let asked = ask({ size: bytes.size });
      for (;;) {
        const answer = await asked;
        if (answer.kind === 'done') return;
        // The next rows are decoded while these are used.
        if (answer.kind === 'rows') asked = ask('next');
        yield answer;
        if (answer.kind !== 'rows') asked = ask('next');
      }
    } finally {
      this.stop();
    }
  }

  /** Ends the process at once. */
  stop(): void {
    this.#stopped = true;
    this.#process?.kill('SIGKILL');
  }

  async #ask(
    process: ChildProcess,
    answers: AsyncIterator<DecoderAnswer[]>,
    request: DecoderRequest,
    bytes: Seekable,
  ): Promise<DecoderAnswer> {
    // Seconds are counted one by one: a run that is suspended doesn't wait.
    let seconds = 0;
    const clock = setInterval(() => {
      seconds += 1;
      if (seconds >= this.#bounds.patienceSeconds) process.kill('SIGKILL');
    }, SECOND_MS);
    try {
      send(process, request);
      for (;;) {
        const step = await answers.next().catch((error: unknown) => {
          throw notStarted(error as NodeJS.ErrnoException);
        });
        if (step.done) throw this.#death(process, seconds);
        const [answer] = step.value as [DecoderAnswer];
        if (answer.kind === 'broken') throw new BrokenInput(answer.reason, answer.remedy);
        if (answer.kind === 'group') this.#group = answer.index;
        if (answer.kind !== 'wants') return answer;
        send(process, await bytes.read(answer.from, answer.length));
        seconds = 0;
      }
    } finally {
      clearInterval(clock);
    }
  }

  #death({ signalCode, exitCode }: ChildProcess, seconds: number): BrokenInput {
    const { memory, patienceSeconds } = this.#bounds;
    const part = this.#group === undefined ? 'its footer' : `its row group ${this.#group + 1}`;
    const reason =
      seconds >= patienceSeconds
        ? `decoding ${part} takes longer than ${patienceSeconds} seconds`
        : `decoding ${part} takes more memory than there is for it (${memory.heapMib} MiB for values, ${memory.memoryMib} MiB in all), or makes the decoder fail (${signalCode ?? `exit code ${exitCode}`})`;
    return new BrokenInput(reason, REMEDY);
  }
}

function start({ memory }: DecoderBounds): ChildProcess {
  return fork(PROGRAM, [String(memory.memoryMib * MIB)], {
    execArgv: [`--max-old-space-size=${memory.heapMib}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: environment(),
  });
}

/** The environment without options for Node.js and keys, which are meant for the run alone. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(NODE|DOCFERRY)_/i.test(name)),
  );
}

/** A process that is gone is noticed where its answers end. */
function send(process: ChildProcess, request: DecoderRequest): void {
  process.send(request, () => {});
}

function notStarted({ code, message }: NodeJS.ErrnoException): BrokenInput {
  return new BrokenInput(
    `the process that decodes Parquet can't be started (${code ?? message})`,
    'Let docferry start processes of Node.js, or export the file as JSON Lines.',
  );
}

/**
 * Reads a Parquet file's footer.
 * @throws SourceError, BrokenInput
 */
export async function openParquet({ name, seekable }: BinaryFile): Promise<Opened> {
  const rows = await countRows(seekable, new Decoder());
  return {
    layout: { format: 'parquet' },
    notices: rows === 0 ? [`${name} has no rows: there are no records in it.`] : [],
    chunks: ({ source, limits, counted, signal }) => {
      const decoder = new Decoder();
      const close = (): void => {
        decoder.stop();
        seekable.done();
      };
      const answers = abortable(answersOf(seekable, decoder), close, signal);
      return cutLines(linesOf(answers, counted), { source, limits }, 1);
    },
  };
}

async function countRows(seekable: SeekableInput, decoder: Decoder): Promise<number> {
  for await (const answer of answersOf(seekable, decoder)) {
    if (answer.kind === 'found') return answer.rows;
  }
  return 0;
}

async function* answersOf(
  seekable: SeekableInput,
  decoder: Decoder,
): AsyncGenerator<DecoderAnswer, void, undefined> {
  const bytes = await seekable.open();
  try {
    yield* decoder.answers(bytes);
  } finally {
    bytes.close();
  }
}

async function* linesOf(
  answers: AsyncIterable<DecoderAnswer>,
  counted: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const answer of answers) {
    if (answer.kind === 'group') counted(answer.bytes);
    if (answer.kind === 'rows') yield answer.lines;
  }
}
