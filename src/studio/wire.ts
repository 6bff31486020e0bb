/** Messages between the studio's page and its server. */
import type { MappingChange, MappingMistake, Report, Rule } from '../index.js';
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

/** Body of `POST /api/evaluate`. */
export interface EvaluateRequest {
  /** The mapping's text, saved or not. */
  readonly text: string;
  readonly stamp?: string;
  /** Number of the record to show. */
  readonly record?: number;
}

/** `POST /api/evaluate`: everything that the page shows about a mapping's text. */
export interface Evaluation extends AboutFile {
  readonly mistakes: readonly MappingMistake[];
  /** The parsed YAML, even if the mapping has mistakes; `null` if the text isn't YAML. */
  readonly written: unknown;
  /** `null` if the mapping has mistakes or the file can't be read. */
  readonly health: Health | null;
  /** Why the sample could not be mapped; `null` if it could. */
  readonly failure: string | null;
  readonly questions: readonly Question[];
  /** Fields by the columns that they use. */
  readonly usedBy: Readonly<Record<string, readonly string[]>>;
  readonly shown: ShownRecord | null;
}

/** Outcomes of the sample's records. */
export interface Health {
  readonly sampled: number;
  readonly whole: boolean;
  readonly valid: number;
  readonly invalid: number;
  readonly skipped: number;
  readonly duplicate: number;
  readonly fields: readonly FieldHealth[];
  readonly problems: readonly {
    readonly field: string;
    readonly message: string;
    readonly records: number;
    readonly first: number;
  }[];
}

export interface FieldHealth {
  readonly field: string;
  /** Number of documents with a value. */
  readonly filled: number;
  readonly problems: number;
  /** Numbers of records; `null` if there is none. */
  readonly firstProblem: number | null;
  readonly firstEmpty: number | null;
}

/** A TODO of the mapping, with its answers. */
export interface Question {
  readonly field: string | null;
  readonly ask: string;
  readonly line: number;
  readonly answers: readonly QuestionAnswer[];
}

export interface QuestionAnswer {
  readonly label: string;
  readonly changes: readonly MappingChange[];
  /** The value of the only change is a date that the user may replace. */
  readonly input?: 'date';
}

/** Body of `POST /api/edit`, which answers with the new text. */
export interface EditRequest {
  readonly text: string;
  readonly changes?: readonly MappingChange[];
  /** Line of a TODO that becomes a plain comment. */
  readonly dismiss?: number;
  /** Until the page sends `changes`. */
  readonly change?: MappingChange;
}

/** `POST /api/propose`: a rule that fills a field from columns. */
export interface Proposal {
  /** `null` if none fits. */
  readonly rule: Rule | null;
  readonly evidence: string;
  readonly also: readonly MappingChange[];
  readonly formats: readonly {
    readonly label: string;
    readonly rule: Rule;
    /** Values that it reads, of so many. */
    readonly reads: number;
    readonly of: number;
    readonly example: string;
  }[];
}

/** `POST /api/columns`: the names that rules can use, with their values. */
export type ColumnsAnswer = AboutFile & { readonly columns: readonly ColumnFigures[] };

export interface ColumnFigures {
  /** Name of the column as a rule uses it, or a path like `user.name`. */
  readonly name: string;
  readonly type: string;
  /** Share of the sampled records with a value, from 0 to 1. */
  readonly filled: number;
  readonly distinct: number;
  /** The first value, shortened; empty if there is none. */
  readonly example: string;
}

/** `POST /api/try`: a rule on the sample, without changing the mapping. */
export interface Trial {
  readonly filled: number;
  readonly unreadable: number;
  readonly of: number;
  readonly problem: string | null;
  readonly samples: readonly {
    readonly record: number;
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly output: unknown;
    readonly problem: string | null;
  }[];
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
