/** What passes between docferry and the process that decodes Parquet files. */

/** What the process is to do. It comes as JSON, behind its length in four bytes. */
export interface DecoderTask {
  /** Of the file, in bytes. */
  readonly size: number;
  /** `look`: only read the table of contents. */
  readonly act: 'look' | 'read';
  /** Of longer lines only so many bytes come. */
  readonly maxLineBytes: number;
}

/**
 * What the process tells: lines of JSON behind a mark, among the rows, which are lines of JSON
 * themselves.
 */
export type DecoderMessage =
  /** It waits for so many bytes of the file. */
  | { readonly kind: 'wants'; readonly from: number; readonly length: number }
  | { readonly kind: 'found'; readonly rows: number }
  /** A row group is going to be decoded, which has so many bytes in the file. */
  | { readonly kind: 'group'; readonly index: number; readonly bytes: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'broken'; readonly reason: string; readonly remedy: string };

/** Rows begin with a brace. */
export const MESSAGE_MARK = '!';

export const LENGTH_BYTES = 4;

export const REMEDY = 'Fetch the whole file again, or export it as JSON Lines.';
