/**
 * The public door of docferry: everything that a program needs stands here.
 */
export type { Connection } from './api/transport/connection.js';
export { beginImport, cancelRun, startWorker, type WorkerOptions } from './cluster/cluster.js';
export type { ColumnCoverage, Coverage, FieldCoverage } from './coverage/coverage.js';
export type { NumberFigures } from './coverage/number-spread.js';
export type { Counted } from './coverage/value-counts.js';
export {
  type CompleteOptions,
  type CompletionItem,
  type Completions,
  completeMapping,
} from './mapping/load/complete-mapping.js';
export { editMapping, type MappingChange } from './mapping/load/edit-mapping.js';
export { type CheckOptions, checkMapping } from './mapping/load/load-mapping.js';
export type { Rule, RuleObject, WrittenMapping as Mapping } from './mapping/mapping.js';
export type { Annotation, ImportedAuthor, ImportedDocument, Metric } from './model/document.js';
export {
  AccessError,
  AuthenticationError,
  DocferryError,
  DRIFT_KINDS,
  DriftError,
  type DriftFinding,
  type DriftKind,
  type InputDrift,
  InterruptedError,
  JournalError,
  MappingError,
  type MappingMistake,
  NotFoundError,
  OptionError,
  type Refused,
  ResumeError,
  ServiceDownError,
  ServiceError,
  SourceBrokenError,
  SourceError,
} from './model/errors.js';
export {
  type Counts,
  type Outcome,
  type Place,
  PROBLEM_KINDS,
  type Problem,
  type ProblemKind,
} from './model/record.js';
export type { Input } from './model/source.js';
export {
  type ColumnSummary,
  type Guess,
  type GuessedField,
  type GuessOptions,
  guessMapping,
  type Rival,
  type ValueKind,
} from './operations/guess-mapping.js';
export { importDocuments, validateDocuments } from './operations/import-documents.js';
export {
  createImportStream,
  type ImportStream,
  type ImportStreamOptions,
} from './operations/import-stream.js';
export { type LearnOptions, learnExpectations } from './operations/mappings.js';
export type {
  ImportOptions,
  OnUnknown,
  SourceOptions,
  ThrowOn,
  ValidateOptions,
} from './operations/options.js';
export { type ImportRun, RunFailedError } from './operations/pipeline/import-run.js';
export {
  type PreviewedRecord,
  type PreviewOptions,
  previewDocuments,
  type RuleUse,
} from './operations/preview-documents.js';
export { type Pruned, type PruneOptions, pruneRuns } from './operations/runs/prune-runs.js';
export type { KeptRunOptions } from './operations/runs/resolve-run.js';
export {
  type Comparison,
  type Resolution,
  resolveRun,
  verifyRun,
} from './operations/runs/resolve-run.js';
export type { InputReport, Progress, RecordOutcome } from './outcomes/events.js';
export { STOP_KINDS, type StopKind, type StopReport } from './outcomes/stop-conditions.js';
export type { ProblemExample, ProblemGroup, UnknownRecords } from './outcomes/tally.js';
export type { TimelinePoint } from './outcomes/timeline.js';
export { OutputError } from './outputs/output-file.js';
export { reportHtml } from './report/html/report-html.js';
export { type MetricsOptions, reportMetrics } from './report/metrics.js';
export type { RejectsReport } from './report/rejects/rejects.js';
export type { DeliveryReport, Report, RunEvent } from './report/report.js';
export { reportSummary } from './report/summary.js';
export type { MakeDocument } from './transform/made-documents.js';
