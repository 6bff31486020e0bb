import type { Context } from 'hono';
import type { SandboxContext } from '../answers.js';
import { Refusal } from '../refusal.js';
import type { ImportFaults } from './fate.js';
import type { BadDocuments, PartialImport } from './plan.js';

/** What an import route has to heed, so that what is to go wrong within it does. */
export interface ImportFate {
  /** Most bytes in the body, and most documents; more are refused as too large. */
  readonly maxBytes: number;
  readonly maxDocuments: number;
  /** Which of a call's documents to store. */
  readonly take: <Document>(given: readonly Document[]) => readonly Document[];
  /** Refuses the call once those are stored, if one of its documents is bad. */
  readonly refuse: (given: readonly unknown[]) => void;
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
  refuse,
  countOff = 0,
  visibleAfterMs = 0,
  sizeLimit,
}: ImportFaults): ImportFate {
  return {
    maxBytes: sizeLimit?.bytes ?? Number.POSITIVE_INFINITY,
    maxDocuments: sizeLimit?.documents ?? Number.POSITIVE_INFINITY,
    take: (given) => {
      const good = refuse ? stored(refuse, given) : given;
      return apply ? good.slice(0, numberToStore(apply, good.length)) : good;
    },
    refuse: (given) => {
      if (refuse) refuseBad(refuse, given);
    },
    visibleAfterMs,
    count: (given, stored) => Math.max(0, (apply?.answer === 'full' ? given : stored) + countOff),
  };
}

function stored<Document>(
  { containing, stores = 'none' }: BadDocuments,
  given: readonly Document[],
): readonly Document[] {
  const bad = given.findIndex((document) => contains(document, containing));
  if (bad === -1) return given;
  if (stores === 'good') return given.filter((document) => !contains(document, containing));
  return given.slice(0, stores === 'before' ? bad : 0);
}

function refuseBad({ containing }: BadDocuments, given: readonly unknown[]): void {
  const faults = given.flatMap((document, at) =>
    contains(document, containing)
      ? [
          `documents[${at}] contains ${JSON.stringify(containing)}, which the plan of faults refuses.`,
        ]
      : [],
  );
  if (faults.length > 0) throw new Refusal('invalid', faults);
}

function contains(document: unknown, text: string): boolean {
  return JSON.stringify(document).includes(text);
}

function numberToStore(apply: PartialImport, given: number): number {
  if ('documents' in apply) return Math.min(apply.documents, given);
  // In binary 0.29 of 100 is a hair less than 29.
  return Math.floor(apply.share * given + 1e-9);
}
