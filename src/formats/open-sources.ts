import { BrokenInput, unreadable } from '../input/broken-input.js';
import { unlessChanged } from '../input/changed-file.js';
import type { Decompressed } from '../input/decompress/decompressed.js';
import { openInputs } from '../input/inputs.js';
import { limitsOf } from '../input/limits.js';
import type { ObjectsInput, RawInput } from '../input/raw-input.js';
import { InterruptedError, SourceError } from '../model/errors.js';
import type { Input, Source } from '../model/source.js';
import type { BinaryFile, Opened } from './format.js';
import type { BinaryOne } from './formats.js';
import { openObjects } from './objects/format.js';
import { openText } from './open-text.js';
import { checkOptions, type SourceOptions } from './options.js';
import { recognise } from './recognise.js';

/**
 * Looks at the start of each input and finds out how to read it. Nothing stays open but streams,
 * of which what was looked at is kept, and copies of those that have to be read here and there.
 * @param signal ends the wait for inputs that give nothing yet
 * @throws SourceError if an input is missing, unreadable or makes no sense
 * @throws OptionError if what is stated can't be
 * @throws InterruptedError if the signal is aborted before all are open
 */
export async function openSources(
  input: Input,
  options: SourceOptions = {},
  signal?: AbortSignal,
): Promise<readonly Source[]> {
  checkOptions(options);
  try {
    return await openAll(input, options, signal);
  } catch (error) {
    throw signal?.aborted ? new InterruptedError(signal) : error;
  }
}

async function openAll(
  input: Input,
  options: SourceOptions,
  signal: AbortSignal | undefined,
): Promise<readonly Source[]> {
  const inputs = await openInputs(input, { ...options, signal });
  const opener = new Opener(options);
  try {
    for (const { raw, notices } of inputs) await opener.open(raw, notices);
    return opener.sources;
  } catch (error) {
    for (const { raw } of inputs) raw.close();
    for (const close of opener.closing) close();
    throw error;
  }
}

/** Opens inputs one after another. */
class Opener {
  readonly sources: Source[] = [];
  /** What releases what has been opened here. */
  readonly closing: (() => void)[] = [];
  readonly #options: SourceOptions;

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** An archive gives a source for each of its members. */
  async open(raw: RawInput | ObjectsInput, notices: readonly string[]): Promise<void> {
    try {
      if (raw.kind === 'objects') this.#add({ raw, notices }, openObjects(raw));
      else await this.#openBytes(raw, notices);
    } catch (error) {
      throw error instanceof BrokenInput ? unreadable(raw.name, error) : error;
    }
  }

  async #openBytes(raw: RawInput, notices: readonly string[]): Promise<void> {
    const { maxExpansion } = limitsOf(this.#options);
    const found = await recognise(raw, maxExpansion, this.closing);
    const { inside } = found;
    const from = { raw, notices, inside };
    if (found.kind === 'text') this.#add(from, await openText(raw, found, this.#options));
    else if (found.kind === 'binary') {
      const { format, file } = found;
      const expansion = file.expansion ?? inside.expansion;
      for (const [at, opened] of (await openBinary(format, file, this.#options)).entries()) {
        this.#add({ ...from, notices: at === 0 ? notices : [], expansion }, opened);
      }
    } else {
      this.closing.push(() => {
        for (const member of found.members) member.close();
      });
      for (const [index, member] of found.members.entries()) {
        await this.open(member, index === 0 ? [...notices, ...found.notices] : []);
      }
    }
  }

  #add(from: OpenedFrom, opened: Opened): void {
    this.sources.push(
      sourceOf(from, opened, { input: this.sources.length, options: this.#options }),
    );
  }
}

async function openBinary(
  { name, binary }: BinaryOne,
  file: BinaryFile,
  options: SourceOptions,
): Promise<readonly Opened[]> {
  const { format } = options;
  if (format === undefined || format === name) return await binary.open(file, options);
  throw new SourceError(
    `${file.name} is ${binary.label}, but its format is given as ${format}: leave the format out, or set it to ${name}.`,
  );
}

/** What was opened as a source. */
interface OpenedFrom {
  readonly raw: RawInput | ObjectsInput;
  readonly notices: readonly string[];
  readonly inside?: Decompressed;
  readonly expansion?: Decompressed['expansion'];
}

function sourceOf(
  { raw, notices, inside, expansion = inside?.expansion }: OpenedFrom,
  opened: Opened,
  { input, options }: { readonly input: number; readonly options: SourceOptions },
): Source {
  const { name = raw.name, divisible = false } = opened;
  const { nulls } = options;
  const layout = nulls === undefined ? opened.layout : { ...opened.layout, nulls };
  const { columns, dialect } = layout;
  const { comment: _, ...signs } = dialect ?? { comment: null };
  const limits = limitsOf(options);
  const file = raw.kind === 'objects' ? null : raw.file;
  let bytesRead = 0;
  const counted = (bytes: number): void => {
    bytesRead += bytes;
  };
  return {
    name,
    input,
    size: raw.kind === 'objects' ? null : raw.size,
    file,
    divisible,
    layout,
    detected: {
      format: layout.format,
      encoding: null,
      compression: inside?.compression ?? null,
      ...(columns === undefined ? {} : { columns }),
      ...signs,
      ...opened.detected,
    },
    notices: [...notices, ...opened.notices],
    head: opened.head ?? NOTHING,
    ...(opened.ownHead === undefined ? {} : { ownHead: opened.ownHead }),
    mark: opened.mark ?? false,
    tail: opened.tail ?? NOTHING,
    remarks: () => [...(expansion?.remarks() ?? []), ...(opened.remarks?.() ?? [])],
    bytesRead: () => bytesRead,
    chunks: (signal, span) => {
      if (span !== undefined && !divisible) throw new Error(`${name} can't be read in spans.`);
      bytesRead = 0;
      const source = { source: name, input, layout };
      const chunks = opened.chunks({ source, limits, counted, signal, span });
      return file === null ? chunks : unlessChanged(chunks, name, file);
    },
  };
}

const NOTHING = new Uint8Array();
