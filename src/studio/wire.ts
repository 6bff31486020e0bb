/** Messages between the studio's page and its server. */
import type { MappingChange, MappingMistake, Report, Rule } from '../index.js';
import type { Guess } from '../operations/guess-mapping.js';
import type { PreviewedRecord } from '../operations/preview-documents.js';
import type { ColumnFigures } from '../operations/studio/column-figures.js';
import type { Health } from '../operations/studio/health.js';
import type { MappedOutcome } from '../operations/studio/map-sample.js';
import type { Question } from '../operations/studio/open-questions.js';
import type { Proposal } from '../operations/studio/propose-rule.js';
import type { SampledRow } from '../operations/studio/sample-source.js';
import type { Trial } from '../operations/studio/try-rule.js';
import type { Progress } from '../outcomes/events.js';
import type { SavedMapping } from './mapping-file.js';

export type { ColumnFigures, Health, MappedOutcome, Proposal, Question, SavedMapping, Trial };

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
  readonly commands: Readonly<Record<'import' | 'studio', string>>;
}

/** Body of `POST /api/evaluate`. */
export interface EvaluateRequest {
  /** The mapping's text, saved or not. */
  readonly text: string;
  readonly stamp?: string;
  /** Number of the record to show; default: the first that becomes a document. */
  readonly record?: number;
}

/** `POST /api/evaluate`: everything about a text, in one answer. */
export interface Evaluation extends AboutFile {
  readonly mistakes: readonly MappingMistake[];
  /** The parsed YAML, even if the mapping has mistakes; `null` if the text isn't YAML. */
  readonly written: unknown;
  /** `null` while the mapping can't be tried. */
  readonly health: Health | null;
  /** Why the mapping can't be tried, unless `mistakes` say so: the file can't be read, for example. */
  readonly failure: string | null;
  /** Open questions of the text, in its order. */
  readonly questions: readonly Question[];
  /** The document fields that use a column, by column. */
  readonly usedBy: Readonly<Record<string, readonly string[]>>;
  readonly shown: ShownRecord | null;
}

/** Body of `POST /api/propose`, answered with a {@link Proposal}. */
export interface ProposeRequest {
  readonly text: string;
  /** Dotted name: `metrics.score`, `author.annotations.Travel type`, `tags`. */
  readonly field: string;
  /**
   * Columns in the order of joining. None: a rule without a column of its own, as far as the field
   * has one (a detected language, a sentiment from the rating, an id from a hash).
   */
  readonly columns: readonly string[];
}

/** Body of `POST /api/try`, answered with a {@link Trial}. */
export interface TryRequest {
  readonly text: string;
  /** Place of the rule in the mapping: `['document', 'metrics', 'score']`. */
  readonly path: MappingChange['path'];
  readonly rule: Rule;
}

/** Body of `POST /api/records`. */
export interface RecordsRequest {
  readonly text: string;
  readonly stamp?: string;
  /** Number of matching records to skip, for paging; default 0. */
  readonly from?: number;
  /** Default and maximum: 50. */
  readonly limit?: number;
  /** Only records with this text in any value, ignoring case. */
  readonly search?: string;
  readonly only?: MappedOutcome;
  /** Only records with this problem: the message of one of the problems in {@link Health}. */
  readonly problem?: string;
}

/** `POST /api/records`. */
export interface RecordsAnswer extends AboutFile {
  readonly records: readonly ShownRecord[];
  /** Number of records of the sample that match. */
  readonly matching: number;
  /** Records in the sample. */
  readonly sampled: number;
  /** Whether the sample holds all records of the file. */
  readonly whole: boolean;
}

/** `POST /api/columns`, with a text in the body: the names that rules can use, with their values. */
export type ColumnsAnswer = AboutFile & { readonly columns: readonly ColumnFigures[] };

/** `POST /api/guess`. */
export type GuessAnswer = AboutFile & { readonly guess: Guess };

/** Body of `POST /api/edit`, which answers with the new text. */
export interface EditRequest {
  readonly text: string;
  /** Applied in order, as one edit. */
  readonly changes?: readonly MappingChange[];
  /** Line of a TODO that becomes a plain comment. */
  readonly dismiss?: number;
}

export interface ShownRecord extends PreviewedRecord {
  /** Repeats of an earlier sourceId are duplicates, or invalid if their content differs. */
  readonly outcome: MappedOutcome;
  /** Whether any of its values was shortened. */
  readonly isCut: boolean;
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
