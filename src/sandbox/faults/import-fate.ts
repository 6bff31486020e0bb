import type { Context } from 'hono';
import type { SandboxContext } from '../answers.js';
import { Refusal } from '../refusal.js';
import type { ImportFaults } from './fate.js';
import type { BadDocuments, PartialImport } from './plan.js';

/** What goes wrong within the import that is being served; without a plan, nothing does. */
export function importFate(c: SandboxContext) {
  const {
    apply,
    refuse,
    countOff = 0,
    visibleAfterMs = 0,
    sizeLimit,
  } = (c as unknown as FaultsContext).get('importFaults') ?? {};
  return {
    /** Most bytes in the body, and most documents; more are refused as too large. */
    maxBytes: sizeLimit?.bytes ?? Number.POSITIVE_INFINITY,
    maxDocuments: sizeLimit?.documents ?? Number.POSITIVE_INFINITY,
    /** Which of a call's documents to store. */
    take: <Document>(given: readonly Document[]): readonly Document[] => {
      const good = refuse ? stored(refuse, given) : given;
      return apply ? good.slice(0, numberToStore(apply, good.length)) : good;
    },
    /** Refuses the call once those are stored, if one of its documents is bad. */
    refuse: (given: readonly unknown[]): void => {
      if (refuse) refuseBad(refuse, given);
    },
    /** How long they stay out of every answer, in milliseconds. */
    visibleAfterMs,
    /** The count to answer, where `stored` of `given` documents were stored. */
    count: (given: number, stored: number): number =>
      Math.max(0, (apply?.answer === 'full' ? given : stored) + countOff),
  };
}

/** Leaves the faults for {@link importFate}. */
export function setImportFaults(c: SandboxContext, faults: ImportFaults): void {
  (c as unknown as FaultsContext).set('importFaults', faults);
}

type FaultsContext = Context<{ Variables: { importFaults?: ImportFaults } }>;

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
