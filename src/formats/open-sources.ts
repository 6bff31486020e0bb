import { BrokenInput, unreadable } from '../input/broken-input.js';
import { type Decompressed, decompressed } from '../input/decompress/decompressed.js';
import { encodingName } from '../input/encoding/encoding-name.js';
import { isZip, markOf } from '../input/first-bytes.js';
import { type OpenedInput, openInputs } from '../input/inputs.js';
import { limitsOf } from '../input/limits.js';
import type { RawInput } from '../input/raw-input.js';
import { OptionError } from '../model/errors.js';
import { checkNames, type Names } from '../model/known-names.js';
import type { Input, Source, SourceOptions } from '../model/source.js';
import { checkCsvOptions } from './csv/csv-options.js';
import { parsePath } from './json/json-path.js';
import { objectsSource } from './objects/objects-source.js';
import { type FileContext, openFile } from './open-text.js';

const FORMATS: readonly unknown[] = ['csv', 'jsonl', 'json', 'xlsx', 'parquet'];

/**
 * Looks at the start of each input and finds out how to read it. Nothing stays open but streams,
 * of which what was looked at is kept, and copies of those that have to be read here and there.
 * @throws SourceError if an input is missing, unreadable or makes no sense
 * @throws OptionError if what is stated can't be
 */
export async function openSources(
  input: Input,
  options: SourceOptions = {},
): Promise<readonly Source[]> {
  checkOptions(options);
  const opened = await openInputs(input);
  const opener = new Opener(options);
  try {
    for (const one of opened) await opener.open(one);
    return opener.sources;
  } catch (error) {
    for (const { raw } of opened) raw.close();
    opener.close();
    throw error;
  }
}

/** Opens inputs one after another. */
class Opener {
  readonly sources: Source[] = [];
  readonly #options: SourceOptions;
  readonly #closing: (() => void)[] = [];

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** An archive gives a source for each of its members. */
  async open({ raw, notices }: OpenedInput): Promise<void> {
    if (raw.kind === 'objects') this.sources.push(objectsSource(raw, this.sources.length));
    else await this.#openBytes(raw, notices);
  }

  /** Lets go of what has been opened here. */
  close(): void {
    for (const close of this.#closing) close();
  }

  async #openBytes(raw: RawInput, notices: readonly string[]): Promise<void> {
    try {
      const inside = await decompressed(raw, limitsOf(this.#options).maxExpansion);
      await this.#openByMark(raw, inside, notices);
    } catch (error) {
      throw error instanceof BrokenInput ? unreadable(raw.name, error) : error;
    }
  }

  /** Zip archives, workbooks (which are such) and Parquet files are known by their first bytes. */
  async #openByMark(
    raw: RawInput,
    inside: Decompressed,
    notices: readonly string[],
  ): Promise<void> {
    const mark = await markOf(inside);
    if (mark === 'PAR1') {
      const { openParquet } = await import('./parquet/open-parquet.js');
      this.sources.push(await openParquet(raw, inside, this.#context(notices)));
    } else if (isZip(mark)) {
      await this.#openZip(raw, inside, notices);
    } else {
      this.sources.push(await openFile(raw, inside, this.#context(notices)));
    }
  }

  async #openZip(raw: RawInput, inside: Decompressed, notices: readonly string[]): Promise<void> {
    const { openZip } = await import('../input/archive/open-zip.js');
    const context = this.#context(notices);
    const opened = await openZip(raw, inside, context);
    if (opened.kind === 'workbook') {
      const { openWorkbook } = await import('./xlsx/open-workbook.js');
      this.sources.push(await openWorkbook(opened.workbook, context));
      return;
    }
    this.#closing.push(() => {
      for (const member of opened.members) member.close();
    });
    for (const [index, member] of opened.members.entries()) {
      await this.#openBytes(member, index === 0 ? opened.notices : []);
    }
  }

  #context(notices: readonly string[]): FileContext {
    return {
      input: this.sources.length,
      notices,
      options: this.#options,
      onFailure: (close) => this.#closing.push(close),
    };
  }
}

const NAMES: Names<SourceOptions> = {
  format: true,
  delimiter: true,
  quote: true,
  escape: true,
  comment: true,
  encoding: true,
  header: true,
  skipLines: true,
  records: true,
  sheet: true,
  chunkBytes: true,
  maxRecordBytes: true,
  maxExpansion: true,
};

function checkOptions(options: SourceOptions): void {
  checkNames(options, NAMES, 'source');
  limitsOf(options);
  checkCsvOptions(options);
  if (options.encoding !== undefined) encodingName(options.encoding);
  if (options.records !== undefined) parsePath(options.records);
  checkSheet(options.sheet);
  if (options.format !== undefined && !FORMATS.includes(options.format)) {
    throw new OptionError(
      `The format is ${String(options.format)}; expected csv, jsonl, json, xlsx or parquet.`,
    );
  }
  if (options.records !== undefined && (options.format ?? 'json') !== 'json') {
    throw new OptionError(
      `records is the path of a list in a JSON document, but the format is ${options.format}: leave one of them out.`,
    );
  }
}

function checkSheet(sheet: unknown): void {
  if (sheet === undefined || (typeof sheet === 'string' && sheet !== '')) return;
  if (typeof sheet === 'number' && Number.isInteger(sheet) && sheet >= 1) return;
  throw new OptionError(
    `The sheet is ${JSON.stringify(sheet)}; expected its name, or its number from 1.`,
  );
}
