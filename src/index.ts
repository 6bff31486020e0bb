/** The public API of docferry. Only re-exports. */
export type { Connection } from './api/transport/connection.js';
export type { Coverage } from './coverage/coverage.js';
export { editMapping, type MappingChange } from './mapping/load/edit-mapping.js';
export { checkMapping } from './mapping/load/load-mapping.js';
export type { Rule, WrittenMapping as Mapping } from './mapping/mapping.js';
export type { Annotation, ImportedAuthor, ImportedDocument, Metric } from './model/document.js';
export {
  AccessError,
  AuthenticationError,
  DocferryError,
  DriftError,
  type DriftFinding,
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
  type Guess,
  type GuessedColumn,
  type GuessedField,
  type GuessOptions,
  guessMapping,
} from './operations/guess-mapping.js';
export { importDocuments, validateDocuments } from './operations/import-documents.js';
export { type LearnOptions, learnExpectations } from './operations/mappings.js';
export { mergeReports } from './operations/merge-reports.js';
export type {
  ImportOptions,
  ImportSettings,
  MergeOptions,
  PreviewOptions,
  SourceOptions,
  StatePlace,
  ValidateOptions,
} from './operations/options.js';
export { type ImportRun, RunFailedError } from './operations/pipeline/import-run.js';
export {
  type PreviewedRecord,
  previewDocuments,
  type RuleUse,
} from './operations/preview-documents.js';
export { type Pruned, type PruneOptions, pruneRuns } from './operations/runs/prune-runs.js';
export { type Resolution, resolveRun } from './operations/runs/resolve-run.js';
export { type Comparison, verifyRun } from './operations/runs/verify-run.js';
export type { StoredRunOptions } from './operations/runs/with-stored-run.js';
export type { InputReport, Progress, RecordOutcome } from './outcomes/events.js';
export type { CausePlace, ProblemGroup, ValueCount } from './outcomes/problem-tally.js';
export { STOP_KINDS, type StopKind, type StopReport } from './outcomes/stop-conditions.js';
export type { SkipReport } from './outcomes/tally.js';
export { OutputError } from './outputs/output-file.js';
export { reportHtml } from './report/html/report-html.js';
export { reportMetrics } from './report/metrics.js';
export type { RejectsReport } from './report/rejects/rejects.js';
export type { Cause, DeliveryReport, EarlierRun, Report, RunEvent } from './report/report.js';
export { reportSummary } from './report/summary.js';
export type { MakeDocument } from './transform/custom-mapper.js';
