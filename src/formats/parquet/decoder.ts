import { BrokenInput } from '../../input/broken-input.js';
import type { Limits } from '../../input/limits.js';
import type { Seekable } from '../../input/seekable.js';
import { type DecoderMemory, DecoderProcess } from './decoder-process.js';
import type { DecoderAnswer, DecoderRequest } from './run-decoder.js';

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

const HARMFUL_REMEDY =
  'Fetch the whole file again, or export it as JSON Lines. If it is sound, write it with smaller row groups.';

/**
 * Decodes a Parquet file in a process of its own. The reader believes what pages say of themselves,
 * so a file can make it ask for any memory or never end; a thread would take the whole run with it.
 */
export class Decoder {
  readonly #limits: Limits;
  readonly #bounds: DecoderBounds;
  #process: DecoderProcess | undefined;
  #stopped = false;
  /** Index of the row group that is being decoded. */
  #group: number | undefined;

  constructor(limits: Limits, bounds: DecoderBounds = USUAL) {
    this.#limits = limits;
    this.#bounds = bounds;
  }

  /**
   * What it finds, until all chunks are there or nobody wants more.
   * @throws BrokenInput after all rows of the row groups before, however the process ends
   */
  async *answers(bytes: Seekable): AsyncGenerator<DecoderAnswer, void, undefined> {
    if (this.#stopped) return;
    const process = DecoderProcess.take(this.#bounds.memory);
    this.#process = process;
    let asked: Promise<DecoderAnswer> | undefined;
    const ask = (request: DecoderRequest): Promise<DecoderAnswer> => {
      const answer = this.#ask(process, request, bytes);
      // Whoever has enough doesn't wait for the next one.
      answer.catch(() => {});
      return answer;
    };
    try {
      asked = ask({ size: bytes.size, limits: this.#limits });
      for (;;) {
        const answer: DecoderAnswer = await asked;
        // The next chunk is made while this one is used.
        asked = answer.kind === 'chunk' ? ask('next') : undefined;
        if (answer.kind === 'done') return;
        yield answer;
        asked ??= ask('next');
      }
    } finally {
      if (asked === undefined) process.giveBack();
      else process.kill();
    }
  }

  /** Ends the process at once, if it is not done. */
  stop(): void {
    this.#stopped = true;
    this.#process?.kill();
  }

  async #ask(
    process: DecoderProcess,
    request: DecoderRequest,
    bytes: Seekable,
  ): Promise<DecoderAnswer> {
    // Seconds are counted one by one: a run that is suspended doesn't wait.
    let seconds = 0;
    const clock = setInterval(() => {
      seconds += 1;
      if (seconds >= this.#bounds.patienceSeconds) process.kill();
    }, SECOND_MS);
    try {
      process.send(request);
      for (;;) {
        const answer = await process.next();
        if (answer === undefined) throw this.#death(process.end, seconds);
        if (answer.kind === 'broken') throw new BrokenInput(answer.reason, answer.remedy);
        if (answer.kind === 'group') this.#group = answer.index;
        if (answer.kind !== 'wants') return answer;
        process.send(await bytes.read(answer.from, answer.length));
        seconds = 0;
      }
    } finally {
      clearInterval(clock);
    }
  }

  #death(how: string, seconds: number): BrokenInput {
    const { memory, patienceSeconds } = this.#bounds;
    const what = this.#group === undefined ? 'its footer' : `its row group ${this.#group + 1}`;
    const reason =
      seconds >= patienceSeconds
        ? `decoding ${what} takes longer than ${patienceSeconds} seconds`
        : `decoding ${what} takes more memory than there is for it (${memory.heapMib} MiB for values, ${memory.memoryMib} MiB in all), or makes the decoder fail (${how})`;
    return new BrokenInput(reason, HARMFUL_REMEDY);
  }
}
