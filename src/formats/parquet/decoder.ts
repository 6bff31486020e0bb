import { BrokenInput } from '../../input/broken-input.js';
import type { Seekable } from '../../input/seekable.js';
import {
  type DecoderMessage,
  type DecoderTask,
  LENGTH_BYTES,
  MESSAGE_MARK,
  REMEDY,
} from './decoder-messages.js';
import { giveBack, takeProcess } from './decoder-pool.js';
import type { DecoderMemory, DecoderProcess } from './decoder-process.js';

const SECOND_MS = 1000;

/** What decoding may take; other than the default only under test. */
export interface DecoderBounds {
  readonly memory: DecoderMemory;
  /** How long a row group may take until its first rows come. */
  readonly patienceSeconds: number;
}

const USUAL: DecoderBounds = {
  memory: { heapMib: 2048, memoryMib: 4096 },
  patienceSeconds: 300,
};

const HARMFUL_REMEDY = `${REMEDY} If it is sound, write it with smaller row groups.`;

/**
 * Decodes a Parquet file in a process of its own. The reader believes what pages say of themselves,
 * so a file can make it ask for any memory or never end; a thread would take the whole run with it.
 */
export class Decoder {
  readonly #task: Omit<DecoderTask, 'size'>;
  readonly #tell: (message: DecoderMessage) => void;
  readonly #bounds: DecoderBounds;
  #process: DecoderProcess | undefined;
  #stopped = false;
  /** Index of the row group that is being decoded. */
  #group: number | undefined;
  #ranOutOfPatience = false;
  #done = false;

  /** @param tell is told what the process tells */
  constructor(
    task: Omit<DecoderTask, 'size'>,
    tell: (message: DecoderMessage) => void,
    bounds: DecoderBounds = USUAL,
  ) {
    this.#task = task;
    this.#tell = tell;
    this.#bounds = bounds;
  }

  /**
   * The rows as lines, some at a time.
   * @throws BrokenInput after all rows of the row groups before, however the process ends
   */
  async *lines(bytes: Seekable): AsyncGenerator<readonly string[], void, undefined> {
    if (this.#stopped) return;
    const process = takeProcess(this.#bounds.memory);
    this.#process = process;
    try {
      process.send(framed({ ...this.#task, size: bytes.size }));
      while (!this.#done) yield* this.#take(await this.#counting(process), process, bytes);
      this.#process = undefined;
      giveBack(process, this.#bounds.memory);
    } finally {
      this.stop();
    }
  }

  /** Ends the process at once, if it is not done. */
  stop(): void {
    this.#stopped = true;
    this.#process?.kill();
  }

  async *#take(
    lines: readonly string[] | undefined,
    process: DecoderProcess,
    bytes: Seekable,
  ): AsyncGenerator<readonly string[], void, undefined> {
    if (lines === undefined) throw this.#death(await process.end());
    const rows = lines.filter((line) => !line.startsWith(MESSAGE_MARK));
    if (rows.length > 0) yield rows;
    for (const line of lines) {
      if (!line.startsWith(MESSAGE_MARK)) continue;
      const message = JSON.parse(line.slice(MESSAGE_MARK.length)) as DecoderMessage;
      if (message.kind === 'wants') {
        process.send(await bytes.read(message.from, message.length));
      } else {
        this.#hear(message);
      }
    }
  }

  #hear(message: DecoderMessage): void {
    if (message.kind === 'broken') throw new BrokenInput(message.reason, message.remedy);
    if (message.kind === 'group') this.#group = message.index;
    this.#done = message.kind === 'done';
    this.#tell(message);
  }

  /** The lines that come next. Seconds are counted one by one: a run that is suspended doesn't wait. */
  async #counting(process: DecoderProcess): Promise<readonly string[] | undefined> {
    let seconds = 0;
    const clock = setInterval(() => {
      seconds += 1;
      if (seconds < this.#bounds.patienceSeconds) return;
      this.#ranOutOfPatience = true;
      process.kill(false);
    }, SECOND_MS);
    try {
      return await process.next();
    } finally {
      clearInterval(clock);
    }
  }

  #death(how: string): BrokenInput {
    const { memory, patienceSeconds } = this.#bounds;
    const what =
      this.#group === undefined ? 'its table of contents' : `its row group ${this.#group + 1}`;
    const reason = this.#ranOutOfPatience
      ? `decoding ${what} takes longer than ${patienceSeconds} seconds`
      : `decoding ${what} takes more memory than there is for it (${memory.heapMib} MiB for values, ${memory.memoryMib} MiB in all), or makes the decoder fail (${how})`;
    return new BrokenInput(reason, HARMFUL_REMEDY);
  }
}

function framed(task: DecoderTask): Buffer {
  const text = Buffer.from(JSON.stringify(task));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length, 0);
  return Buffer.concat([length, text]);
}
