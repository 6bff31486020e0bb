/** Messages between the studio's page and its server. */
import type { MonitoringSummary } from '../api/index.js';
import type { MappingMistake, Report } from '../index.js';
import type { ColumnFigures } from '../operations/studio/column-figures.js';
import type { Health } from '../operations/studio/health.js';
import type { ShownRecord } from '../operations/studio/map-sample.js';
import type { Question } from '../operations/studio/open-questions.js';
import type { Proposal } from '../operations/studio/propose-rule.js';
import type { Trial } from '../operations/studio/try-rule.js';
import type { Progress } from '../outcomes/events.js';
import type { SavedMapping } from './mapping-file.js';

export type { ColumnFigures, Health, Proposal, Question, SavedMapping, ShownRecord, Trial };

/** `GET /api/mapping`. */
export interface MappingAnswer {
  /** The file's name, without its folders. */
  readonly name: string;
  readonly saved: SavedMapping | null;
  /** Command lines for the user to copy into a terminal. */
  readonly commands: Readonly<Record<'import' | 'studio' | 'monitorings', string>>;
  /** Name or address of the service to import into; `null` without a connection. */
  readonly service: string | null;
}

/** `POST /api/evaluate`: everything about a text, in one answer. */
export interface Evaluation {
  readonly mistakes: readonly MappingMistake[];
  /** The parsed YAML, even if the mapping has mistakes; `null` if the text isn't YAML. */
  readonly written: unknown;
  /** `null` while the mapping can't be tried. */
  readonly health: Health | null;
  /** Number of documents whose value differs from that of the text before, by field. */
  readonly changed: Readonly<Record<string, number>>;
  /** Why the mapping can't be tried, unless `mistakes` say so: the file can't be read, for example. */
  readonly failure: string | null;
  /** Open questions of the text, in its order. */
  readonly questions: readonly Question[];
  /** The document fields that use a column, by column. */
  readonly usedBy: Readonly<Record<string, readonly string[]>>;
  /** Columns that the mapping names and the file lacks. */
  readonly missing: readonly string[];
  /** Without a document while the mapping can't be tried. */
  readonly shown: ShownRecord | null;
  /** Messages about the file. */
  readonly notices: readonly string[];
}

/** `GET /api/monitorings`. */
export interface MonitoringsAnswer {
  readonly monitorings: readonly MonitoringSummary[];
}

/** A line of `POST /api/validate`, `/api/rehearse` and `/api/import`. */
export type JobLine =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'notice'; readonly message: string }
  /**
   * Last line of a run that has a report; `page` is the address of its HTML, and `stamp` the version of
   * the file when the run began.
   */
  | {
      readonly type: 'report';
      readonly report: Report;
      readonly page: string;
      readonly stamp: string;
    }
  /** Last line of a run without a report. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly mistakes?: readonly MappingMistake[];
    };
