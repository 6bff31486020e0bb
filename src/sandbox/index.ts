/**
 * The package's `docferry/sandbox` entry point: a local server that implements the service's REST
 * API.
 */

export type { FaultPlan, FaultRule } from './faults/plan.js';
export type { CapturedAuthor, CapturedDocument } from './input/captured-documents.js';
export type { SandboxOptions } from './option-table.js';
export { type Sandbox, startSandbox } from './start-sandbox.js';
