/** Messages between the studio's page and its server. */
import type { MappingChange, MappingMistake, Report } from '../index.js';
import type { Guess } from '../operations/guess-mapping.js';
import type { PreviewedRecord } from '../operations/preview-documents.js';
import type { SampledRow } from '../operations/studio/sample-source.js';
import type { Progress } from '../outcomes/events.js';
import type { SavedMapping } from './mapping-file.js';

export type { SavedMapping };

/** Fields of every answer about the file. */
export interface AboutFile {
  /** Version of the file on disk. The page sends back the last one it received. */
  readonly stamp: string;
  /** Messages for the user, for example that the file has changed or values were shortened. */
  readonly notices: readonly string[];
}

/** `GET /api/source`, and `PUT` with options for reading it. */
export interface SourceAnswer extends AboutFile {
  /** The file's name, without its folders. */
  readonly name: string;
  readonly bytes: number | null;
  /** Input options in effect, stated or detected. */
  readonly detected: {
    readonly format: string;
    readonly encoding: string | null;
    readonly compression: string | null;
    readonly delimiter: string | null;
    readonly quote: string | null;
    readonly sheet: string | null;
  };
  /** Formats that a mapping can state. */
  readonly formats: readonly string[];
  /** `null` if records are objects. */
  readonly columns: readonly string[] | null;
  readonly rows: readonly SampledRow[];
  /** Records in the sample that previews use. */
  readonly records: number;
  /** Whether the sample holds all records of the file. */
  readonly whole: boolean;
}

/** `GET /api/mapping`. */
export interface MappingAnswer {
  /** The file's name, without its folders. */
  readonly name: string;
  readonly saved: SavedMapping | null;
  /** Command lines for the user to copy into a terminal. */
  readonly commands: Readonly<Record<'validate' | 'import', string>>;
}

/** `POST /api/guess`. */
export type GuessAnswer = AboutFile & { readonly guess: Guess };

/** `POST /api/check`. */
export interface CheckAnswer {
  readonly mistakes: readonly MappingMistake[];
  /** The parsed YAML, even if the mapping has mistakes; `null` if the text isn't YAML. */
  readonly written: unknown;
}

/** Body of `POST /api/edit`, which answers with the new text. */
export interface EditRequest {
  readonly text: string;
  readonly change: MappingChange;
}

/** Body of `POST /api/preview`. */
export interface PreviewRequest {
  /** The mapping's text, saved or not. */
  readonly text: string;
  readonly stamp?: string;
  /** Number of matching records to skip, for paging. */
  readonly from?: number;
  readonly limit?: number;
  /** Only records with this text in any value, ignoring case. */
  readonly search?: string;
  readonly invalid?: boolean;
  /** Only the record with this number. */
  readonly record?: number;
}

export interface ShownRecord extends PreviewedRecord {
  /** Whether any of its values was shortened. */
  readonly isCut: boolean;
}

/** `POST /api/preview`. */
export interface PreviewAnswer extends AboutFile {
  readonly records: readonly ShownRecord[];
  /** Whether more records of the sample match. */
  readonly more: boolean;
  /** Records in the sample. */
  readonly sampled: number;
  /** Whether the sample holds all records of the file. */
  readonly whole: boolean;
}

/** A line of `POST /api/validate` and `/api/rehearse`. */
export type RunLine =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'notice'; readonly message: string }
  /** Last line of a run that has a report; `page` is the address of its HTML. */
  | { readonly type: 'report'; readonly report: Report; readonly page: string }
  /** First imported documents as the sandbox returns them; precedes `report`. */
  | { readonly type: 'documents'; readonly documents: readonly unknown[] }
  /** Last line of a run without a report. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly mistakes?: readonly MappingMistake[];
    };
