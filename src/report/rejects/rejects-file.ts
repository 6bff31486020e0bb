import { Buffer } from 'node:buffer';
import iconv from 'iconv-lite';
import { countLineEnds } from '../../model/chunk.js';
import type { RejectRef } from '../../model/record.js';
import type { WrittenFile } from '../../model/source.js';
import { OutputFile, type OutputOptions } from '../../outputs/output-file.js';
import type { AppendedColumns } from './appended-columns.js';
import {
  closeBrackets,
  lineEndAfter,
  lineEndOf,
  type Reject,
  type RejectsSource,
} from './rejects-layout.js';
import { reasonsPath } from './rejects-paths.js';

export interface RejectsReport {
  readonly file: string;
  /** JSON Lines file with the place, origin and problems of each record. */
  readonly reasons: string;
  readonly records: number;
}

/** Writes rejects in their source's layout, and their problems to a second file. */
export class RejectsFile {
  readonly #source: RejectsSource;
  readonly #inList: boolean;
  readonly #lineEnd: string;
  readonly #encode: (bytes: Uint8Array) => Uint8Array;
  readonly #columns: AppendedColumns | undefined;
  readonly #reasons: OutputFile;
  readonly #file: OutputFile;
  /** Line number of the next byte, from 1. */
  #line = 1;
  #records = 0;
  #failed = false;
  #isWhole = false;

  /**
   * Creates the files and writes the source's head.
   * @param columns appended to each record
   * @throws OutputError
   */
  constructor(
    path: string,
    source: RejectsSource,
    output: OutputOptions,
    columns: AppendedColumns | undefined,
  ) {
    this.#source = source;
    this.#inList = source.layout.inList === true;
    this.#lineEnd = lineEndOf(source.head);
    this.#encode = encoderFor(source.detected.encoding);
    this.#columns = columns;
    this.#reasons = new OutputFile(reasonsPath(path), output);
    this.#file = new OutputFile(path, output);
    this.#writeHead(columns?.head ?? source.head);
  }

  /**
   * @param ref identifies the record
   * @throws OutputError
   */
  add(reject: Reject, ref: RejectRef): void {
    this.#failed = true; // until it is through
    if (this.#inList && this.#records > 0) this.#write(',\n');
    this.#reasons.write(reasonLine(reject, this.#line));
    this.#writeRecord(reject, ref);
    this.#records += 1;
    this.#failed = false;
  }

  /**
   * Completes the files, before they get their names.
   * @throws OutputError
   */
  finish(): readonly WrittenFile[] {
    this.#complete();
    return [this.#reasons.finish(), this.#file.finish()];
  }

  /**
   * Completes the files, and gives them their names; both are closed even if one fails.
   * @throws OutputError
   */
  close(): void {
    try {
      if (!this.#failed) this.#complete();
    } finally {
      try {
        // The reasons first, as their existence marks a file of rejects.
        this.#reasons.close();
      } finally {
        this.#file.close();
      }
    }
  }

  /** Closes the drafts, which get no names. */
  abandon(): void {
    this.#reasons.abandon();
    this.#file.abandon();
  }

  get report(): RejectsReport {
    return { file: this.#file.path, reasons: this.#reasons.path, records: this.#records };
  }

  #writeHead(head: Uint8Array): void {
    if (this.#source.byteOrderMark) this.#write('\ufeff');
    this.#write(head);
    const needsEnd = !this.#inList && head.length > 0;
    if (needsEnd) this.#write(lineEndAfter(head, this.#lineEnd));
  }

  #writeRecord(reject: Reject, ref: RejectRef): void {
    const { raw, fields } = reject;
    if (this.#columns === undefined || fields === undefined) {
      this.#write(raw);
      if (!this.#inList) this.#write(lineEndAfter(raw, this.#lineEnd));
    } else {
      this.#write(fields);
      this.#write(`${this.#columns.after(reject, ref)}${this.#lineEnd}`);
    }
  }

  #complete(): void {
    if (this.#isWhole) return;
    this.#isWhole = true;
    const { head, tail } = this.#source;
    if (tail.length > 0) this.#write(tail);
    else if (this.#inList) this.#write(`${closeBrackets(head)}\n`);
  }

  #write(piece: Uint8Array | string): void {
    if (piece.length === 0) return;
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.#line += countLineEnds(bytes);
    this.#file.write(this.#encode(bytes));
  }
}

function reasonLine({ place, outcome, problems }: Reject, line: number): Uint8Array {
  const { source, record, line: sourceLine } = place;
  const shown = problems.map(({ kind, field, message }) => ({ kind, field, message }));
  const reason = { line, source, record, sourceLine, outcome, problems: shown };
  return Buffer.from(`${JSON.stringify(reason)}\n`);
}

/**
 * Creates a function from UTF-8 to a source's own encoding. UTF-8 is passed unchanged, even if
 * invalid. For UTF-16 and UTF-32, the first piece gets a byte order mark.
 * @param encoding `null` if the source was passed as text
 */
export function encoderFor(encoding: string | null | undefined): (bytes: Uint8Array) => Uint8Array {
  const name = encoding ?? 'utf-8';
  if (/^(utf-?8|us-ascii|ascii)/i.test(name) || !iconv.encodingExists(name))
    return (bytes) => bytes;
  let addBOM = /^(utf|ucs)-?(16|32|2|4)/i.test(name);
  return (bytes) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const encoded = iconv.encode(addBOM ? text.replace(/^\ufeff/, '') : text, name, { addBOM });
    addBOM = false;
    return encoded;
  };
}
