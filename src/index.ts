/**
 * The public door of docferry: everything that a program needs stands here.
 */
export type { Connection } from './api/connection.js';
export type { ColumnCoverage, Coverage, FieldCoverage } from './coverage/coverage.js';
export type { NumberFigures } from './coverage/number-spread.js';
export type { Counted } from './coverage/value-counts.js';
export type { Annotation, ImportedAuthor, ImportedDocument, Metric } from './document.js';
export {
  AccessError,
  AuthenticationError,
  DocferryError,
  DriftError,
  JournalError,
  MappingError,
  NotFoundError,
  OptionError,
  type Refused,
  ResumeError,
  ServiceDownError,
  ServiceError,
  SourceBrokenError,
  SourceError,
} from './errors.js';
export { type Guess, type GuessedField, type GuessOptions, guessMapping } from './guess-mapping.js';
export { importDocuments, validateDocuments } from './import-documents.js';
export { type LearnOptions, learnExpectations } from './learn-expectations.js';
export type { Rule, RuleObject, WrittenMapping as Mapping } from './mapping/mapping.js';
export type { KeptRunOptions } from './open-kept-run.js';
export type { ImportOptions, OnUnknown, ThrowOn, ValidateOptions } from './options.js';
export { OutputError } from './outputs/output-file.js';
export {
  type PreviewedRecord,
  type PreviewOptions,
  previewDocuments,
} from './preview-documents.js';
export type { RuleUse } from './preview-rules.js';
export { type Pruned, type PruneOptions, pruneRuns } from './prune-runs.js';
export {
  type Counts,
  type Outcome,
  type Place,
  PROBLEM_KINDS,
  type Problem,
  type ProblemKind,
} from './record.js';
export type { RejectsReport } from './report/rejects.js';
export {
  type InputReport,
  type Report,
  STOP_KINDS,
  type StopKind,
  type StopReport,
  type UnknownRecords,
} from './report/report.js';
export type { ProblemExample, ProblemGroup } from './report/tally.js';
export { type Resolution, resolveRun } from './resolve-run.js';
export type { ImportRun } from './run/import-run.js';
export type { Progress, RecordOutcome, RunEvent } from './run/run-events.js';
export { RunFailedError } from './run/run-failed-error.js';
export type { Input, SourceOptions } from './source/source.js';
export type { MakeDocument } from './transform/made-documents.js';
export { type Comparison, verifyRun } from './verify-run.js';
