import type { Context } from 'hono';
import type { SandboxContext } from '../answers.js';
import type { ImportFaults } from './fate.js';
import type { PartialImport } from './plan.js';

/** What an import route has to heed, so that what is to go wrong within it does. */
export interface ImportFate {
  /** Most bytes in the body, and most documents; more are refused as too large. */
  readonly maxBytes: number;
  readonly maxDocuments: number;
  /** How many of a call's documents to store, from its first. */
  readonly take: (given: number) => number;
  /** How long they stay out of every answer, in milliseconds. */
  readonly visibleAfterMs: number;
  /** The count to answer, where `stored` of `given` documents were stored. */
  readonly count: (given: number, stored: number) => number;
}

/** The fate of the import that is being served; without a plan, nothing goes wrong. */
export function importFate(c: SandboxContext): ImportFate {
  return importFateOf((c as unknown as FaultsContext).get('importFaults') ?? {});
}

/** Leaves the faults for {@link importFate}. */
export function setImportFaults(c: SandboxContext, faults: ImportFaults): void {
  (c as unknown as FaultsContext).set('importFaults', faults);
}

type FaultsContext = Context<{ Variables: { importFaults?: ImportFaults } }>;

function importFateOf({
  apply,
  countOff = 0,
  visibleAfterMs = 0,
  sizeLimit,
}: ImportFaults): ImportFate {
  return {
    maxBytes: sizeLimit?.bytes ?? Number.POSITIVE_INFINITY,
    maxDocuments: sizeLimit?.documents ?? Number.POSITIVE_INFINITY,
    take: (given) => (apply ? numberToStore(apply, given) : given),
    visibleAfterMs,
    count: (given, stored) => Math.max(0, (apply?.answer === 'full' ? given : stored) + countOff),
  };
}

function numberToStore(apply: PartialImport, given: number): number {
  if ('documents' in apply) return Math.min(apply.documents, given);
  // In binary 0.29 of 100 is a hair less than 29.
  return Math.floor(apply.share * given + 1e-9);
}
