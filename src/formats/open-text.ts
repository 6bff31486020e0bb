import { abortable } from '../input/abortable.js';
import { ByteWindow } from '../input/byte-window.js';
import type { Decompressed } from '../input/decompress/decompressed.js';
import { decodePieces, isUtf8Name } from '../input/encoding/decode.js';
import { type Limits, limitsOf } from '../input/limits.js';
import type { RawInput } from '../input/raw-input.js';
import type { Chunk } from '../model/chunk.js';
import type { Detected, Source, SourceOptions } from '../model/source.js';
import { RecordCutter } from './boundaries/cut-records.js';
import { ElementCutter } from './json/cut-elements.js';
import { type Looked, lookAt } from './look-at-text.js';

/** What is known of a file beside its bytes. */
export interface FileContext {
  /** Index among the run's inputs, from 0. */
  readonly input: number;
  readonly notices: readonly string[];
  readonly options: SourceOptions;
  /** Is given what lets go of something that stays open, in case the run can't start. */
  readonly onFailure: (close: () => void) => void;
}

/**
 * Looks at the start of a file, and gives it as a source.
 * @throws SourceError if it can't be read or makes no sense
 */
export async function openFile(
  raw: RawInput,
  decompressed: Decompressed,
  context: FileContext,
): Promise<Source> {
  const { input, options } = context;
  const limits = limitsOf(options);
  const looked = await lookAt(raw, decompressed, options);
  const { layout, head, tail } = looked.understood;
  let bytesRead = 0;
  const counted = (bytes: number): void => {
    bytesRead += bytes;
  };
  return {
    name: raw.name,
    input,
    size: raw.size,
    file: raw.file,
    layout,
    detected: detected(looked, decompressed),
    notices: [...context.notices, ...looked.notices, ...looked.understood.notices],
    head,
    tail,
    bytesRead: () => bytesRead,
    remarks: () => decompressed.expansion?.remarks() ?? [],
    chunks: (signal) => {
      bytesRead = 0;
      const pieces = abortable(raw.read(counted), () => raw.close(), signal);
      const window = new ByteWindow(decodePieces(decompressed.decompress(pieces), looked.encoding));
      return cut({ name: raw.name, input, window, looked, limits });
    },
  };
}

function detected(
  { understood, encoding, decoded }: Looked,
  { compression }: Decompressed,
): Detected {
  const { layout } = understood;
  const base = { format: layout.format, encoding: decoded ? null : encoding, compression };
  if (layout.format !== 'csv') return base;
  const { comment: _, ...dialect } = layout.dialect;
  return { ...base, ...dialect, columns: layout.columns };
}

interface Cutting {
  readonly name: string;
  readonly input: number;
  readonly window: ByteWindow;
  readonly looked: Looked;
  readonly limits: Limits;
}

async function* cut({
  name,
  input,
  window,
  looked,
  limits,
}: Cutting): AsyncGenerator<Chunk, void, undefined> {
  const { layout, start, tail } = looked.understood;
  try {
    await window.skip(start.byte);
    const source = { source: name, input, ...decodedFrom(looked) };
    if (layout.format === 'csv' || layout.format === 'jsonl') {
      yield* new RecordCutter({ ...source, layout }, window, limits, start).chunks();
    } else {
      // The tail closes the list itself first.
      const closing = tail.subarray(1);
      yield* new ElementCutter({ ...source, layout }, window, limits, start).chunks(closing);
    }
  } finally {
    await window.close();
  }
}

function decodedFrom({ decoded, encoding }: Looked): Pick<Chunk, 'decodedFrom'> {
  if (decoded) return { decodedFrom: 'text' };
  return isUtf8Name(encoding) ? {} : { decodedFrom: encoding };
}
