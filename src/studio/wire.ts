/** What the studio's page and its server tell each other. */
import type { MappingChange, MappingMistake, Report } from '../index.js';
import type { Guess } from '../operations/guess-mapping.js';
import type { PreviewedRecord } from '../operations/preview-documents.js';
import type { SampledRow } from '../operations/studio/sample-source.js';
import type { Progress } from '../outcomes/events.js';
import type { SavedMapping } from './mapping-file.js';

export type { SavedMapping };

/** What every answer about the file holds. */
export interface AboutFile {
  /** Changes with the file; the page gives back the one that it knows. */
  readonly stamp: string;
  /** What a person should know, such as that the file has changed, or that values were cut. */
  readonly notices: readonly string[];
}

/** `GET /api/source`, and `PUT` with options for reading it. */
export interface SourceAnswer extends AboutFile {
  /** The file's name, without its folders. */
  readonly name: string;
  readonly bytes: number | null;
  /** How it is read: what was stated, and what was detected. */
  readonly detected: {
    readonly format: string;
    readonly encoding: string | null;
    readonly compression: string | null;
    readonly delimiter: string | null;
    readonly quote: string | null;
    readonly sheet: string | null;
  };
  /** What a mapping can state as the format. */
  readonly formats: readonly string[];
  /** `null` where records are objects. */
  readonly columns: readonly string[] | null;
  readonly rows: readonly SampledRow[];
  /** Records that are kept for previews, and whether those are all. */
  readonly records: number;
  readonly whole: boolean;
}

/** `GET /api/mapping`. */
export interface MappingAnswer {
  /** The file's name, without its folders. */
  readonly name: string;
  readonly saved: SavedMapping | null;
  /** Commands to copy: they run outside of the studio. */
  readonly commands: Readonly<Record<'validate' | 'import', string>>;
}

/** `POST /api/guess`. */
export type GuessAnswer = AboutFile & { readonly guess: Guess };

/** `POST /api/check`. */
export interface CheckAnswer {
  readonly mistakes: readonly MappingMistake[];
  /** What the text says, whatever is wrong with it; `null` if it is no YAML. */
  readonly written: unknown;
}

/** What is asked of `POST /api/edit`, which answers with the new text. */
export interface EditRequest {
  readonly text: string;
  readonly change: MappingChange;
}

/** What is asked of `POST /api/preview`. */
export interface PreviewRequest {
  /** The mapping, saved or not. */
  readonly text: string;
  readonly stamp?: string;
  /** How many of those that would be shown come before. */
  readonly from?: number;
  readonly limit?: number;
  /** Only records that hold this, in any of their values. */
  readonly search?: string;
  readonly invalid?: boolean;
  /** Only the record with this number. */
  readonly record?: number;
}

/** A record for the page. */
export interface ShownRecord extends PreviewedRecord {
  /** Whether any of its values was shortened. */
  readonly isCut: boolean;
}

/** `POST /api/preview`. */
export interface PreviewAnswer extends AboutFile {
  readonly records: readonly ShownRecord[];
  /** Whether there are more behind them, as far as records are kept. */
  readonly more: boolean;
  /** How many records are kept, and whether those are all. */
  readonly kept: number;
  readonly whole: boolean;
}

/** A line of `POST /api/validate` and `/api/rehearse`. */
export type RunLine =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'notice'; readonly message: string }
  /** The end, if there is a report. */
  | { readonly type: 'report'; readonly report: Report; readonly page: string }
  /** What the sandbox shows of the documents imported, before that. */
  | { readonly type: 'documents'; readonly documents: readonly unknown[] }
  /** The end, if there is none. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly mistakes?: readonly MappingMistake[];
    };
