import {
  type Batch,
  type DocumentRange,
  type Documents,
  sourceIdsOf,
} from '../../model/documents.js';
import { publishedWindow } from '../../model/published-window.js';
import {
  type RecordState,
  RecordStates,
  recordNumber,
  recordsOf,
  type SentOutcome,
} from '../../model/record-ranges.js';
import type { OnUnknown } from '../../operations/options.js';
import type { OutcomeRecorder } from '../../outcomes/outcome-recorder.js';
import { partOfBatch } from '../batching/parts.js';
import type { Verdict } from '../judge-answer.js';
import { type Clock, systemClock } from '../pacing/clock.js';
import type { Doubt, ReadBackSettings, ResolvedDoubt } from '../reconciliation/doubt.js';
import { lookedFor, lookingNotice, PROBE, RESENT } from './doubt-texts.js';
import type { Refusals } from './refusals.js';

/** What doubts have to do with. */
export interface DoubtsPort {
  readonly recorder: OutcomeRecorder;
  readonly journal: RequestLog | undefined;
  readonly onUnknown: OnUnknown;
  /** What is known of refusals of several documents. */
  readonly refusals: Refusals;
  /** Looks for documents; the same order. */
  readonly lookFor: (doubts: readonly Doubt[]) => Promise<readonly ResolvedDoubt[]>;
  readonly patience: ReadBackSettings;
  /** Tells a person what takes so long. */
  readonly notice: (message: string) => void;
  readonly clock?: Clock;
}

/** Where it is written down what becomes of requests. */
export interface RequestLog {
  /** A batch is what is left of a request that an earlier process made. */
  belongsTo(intent: number, batch: Batch): void;
  /** A part of a batch that was sent belongs to the same request. */
  isPartOf(part: Batch, whole: Batch): void;
  settle(
    batch: Batch,
    settled: { readonly outcome: SentOutcome; readonly message: string },
    part?: Batch,
  ): void;
}

interface HeldDoubt {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  /** The service refused it, and may have taken some of it. */
  readonly refused?: boolean;
  /** It was looked for, and all that it takes to believe what that showed is a proof. */
  readonly lacksProof?: true;
  /** Documents before those that are left of it were refused alone. */
  headless?: boolean;
}

/** After so many proofs in a row that were refused, one more goes at a time. */
const REFUSED_PER_PROOF = 16;
const MAX_PROOFS = 32;

/** So much memory may be held by doubts before a run looks for them instead of sending more. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Requests whose outcome is unknown, and batches that were refused by a service that may have taken
 * some of them: kept until they have been looked for, so that what is missing can be sent again.
 */
export class Doubts {
  readonly #port: DoubtsPort;
  #held: HeldDoubt[] = [];
  /** What can't be let go of because of them: a document holds all that its chunk became. */
  #retained = new Set<Documents>();
  #bytes = 0;
  #probed = false;
  /** Documents that go alone as the proof, with what is left of their batch. */
  readonly #proofs = new Map<Batch, HeldDoubt>();
  /** How many of them were refused; `undefined`: nothing lacks a proof. */
  #refusedProofs: number | undefined;
  /** Records whose documents were sent a second time. */
  readonly #again = new RecordStates<true>();

  constructor(port: DoubtsPort) {
    this.#port = port;
  }

  /** Whether there is no room for more. */
  get full(): boolean {
    return this.#bytes >= MOST_BYTES;
  }

  /** A request has ended, and nobody knows what came of it. */
  add(batch: Batch, message: string): void {
    this.#settleJournal(batch, batch, 'unknown', message);
    if (this.#port.onUnknown === 'hold' || this.#wasSentAgain(batch)) {
      this.#settleUnknown({ batch, message }, batch, message);
      return;
    }
    // For a request that a crash cut off, too: clocks can't be trusted across processes.
    this.#hold({ batch, message, endedMs: this.#now() });
  }

  /** The service refused a batch of several documents, and may have taken some of them. */
  addRefused(batch: Batch, message: string): void {
    this.#settleJournal(batch, batch, 'unknown', message);
    this.#hold({ batch, message, endedMs: this.#now(), refused: true });
  }

  /** What became of any request. */
  settled(batch: Batch, verdict: Verdict): void {
    this.#port.refusals.settled(batch, verdict);
    if (verdict.kind === 'accepted') this.#refusedProofs = undefined;
    const rest = this.#proofs.get(batch);
    if (rest === undefined || verdict.kind === 'accepted') return;
    rest.headless = true;
    // What was refused alone was not taken, so that one more is in no more danger.
    if (verdict.kind === 'rejected' && !rest.refused) this.#probed = false;
    if (this.#refusedProofs !== undefined) this.#refusedProofs += 1;
  }

  /** An earlier process of the run made a request, and nobody knows what came of it. */
  addEarlier(range: DocumentRange, { intent, message }: RecordState): void {
    const batch = partOfBatch({ ranges: [range], count: 0, bytes: 0 }, indexesOf(range));
    this.#port.journal?.belongsTo(intent, batch);
    this.add(batch, message === '' ? 'the run was cut off before an answer came' : message);
  }

  /**
   * Looks for all that is in doubt, and settles what that tells.
   * @returns what is missing, to be sent again; empty when there is nothing left to find out
   */
  async resolve(): Promise<readonly Batch[]> {
    const released = this.#port.refusals.takeReleased();
    if (released.length > 0) return released;
    const sure = this.#letGo((doubt) => this.#needsNoLook(doubt));
    if (sure.length > 0) return sure.flatMap((doubt) => this.#sendUnlooked(doubt));
    if (this.#refusedProofs !== undefined && this.#nextProof(this.#held)) return this.#prove();
    const held = this.#letGo();
    if (held.length === 0) return [];
    this.#port.notice(lookingNotice(held, this.#port.patience));
    const resolved = await this.#port.lookFor(held.map(doubtOf));
    const again = held.flatMap((doubt, index) => this.#resolveOne(doubt, resolved[index]));
    return again.length === 0 ? this.#prove() : again;
  }

  /** There is no time to look: what is in doubt stays so. */
  giveUp(): void {
    for (const doubt of this.#letGo()) this.#settleUnknown(doubt, doubt.batch, doubt.message);
  }

  #hold(doubt: HeldDoubt): void {
    this.#held.push(doubt);
    for (const { documents } of doubt.batch.ranges) {
      if (this.#retained.has(documents)) continue;
      this.#retained.add(documents);
      this.#bytes += documents.bytes.byteLength;
    }
  }

  /** @param which all, unless told otherwise */
  #letGo(which: (doubt: HeldDoubt) => boolean = () => true): readonly HeldDoubt[] {
    const held = this.#held;
    this.#held = [];
    this.#retained = new Set();
    this.#bytes = 0;
    for (const doubt of held) if (!which(doubt)) this.#hold(doubt);
    return held.filter(which);
  }

  #needsNoLook({ refused }: HeldDoubt): boolean {
    return refused ? this.#port.refusals.atomic : this.#port.onUnknown === 'resend';
  }

  #sendUnlooked({ batch, refused }: HeldDoubt): readonly Batch[] {
    return refused
      ? this.#sendRefused(batch, batch, false)
      : [this.#sendAgain(batch, batch, RESENT)];
  }

  #resolveOne(doubt: HeldDoubt, resolved: ResolvedDoubt | undefined): readonly Batch[] {
    if (resolved === undefined) return [];
    const { batch, message, refused = false, headless = false } = doubt;
    const part = (indexes: readonly number[]): Batch => partOfBatch(batch, indexes);
    const { accepted, absent, undecided, twice, needsProof, reason } = resolved;
    if (accepted.length > 0) this.#settleAccepted(batch, part(accepted));
    if (accepted.length > 0 && refused) this.#port.refusals.tookSome();
    if (twice.length > 0) this.#port.recorder.shownTwice(part(twice));
    if (undecided.length > 0) {
      const mayProve = needsProof && (refused || !this.#probed);
      if (mayProve) this.#keep({ ...doubt, batch: part(undecided) }, batch);
      else this.#settleUnknown(doubt, part(undecided), `${message}; ${reason ?? 'undecided'}`);
    }
    if (absent.length === 0) return [];
    if (!refused) return [this.#sendAgain(batch, part(absent), lookedFor(resolved))];
    return this.#sendRefused(batch, part(absent), absent.length === batch.count && !headless);
  }

  /**
   * Nothing was acknowledged that could prove that reading shows what came later: one document may
   * do. Those of a refused batch go one after the other until one is accepted, as a document that
   * is refused alone was not taken; others may have been, so there is only one try.
   */
  #prove(): readonly Batch[] {
    const held = this.#letGo();
    const doubt = this.#nextProof(held);
    const others = held.filter((other) => other !== doubt);
    if (doubt === undefined) {
      for (const other of others) this.#hold(other);
      return [];
    }
    const { batch, refused } = doubt;
    this.#probed ||= !refused;
    this.#refusedProofs ??= 0;
    const proofs = refused ? 1 + Math.floor(this.#refusedProofs / REFUSED_PER_PROOF) : 1;
    const indexes = Array.from({ length: batch.count }, (_, index) => index);
    const first = indexes.slice(0, Math.min(proofs, MAX_PROOFS));
    const rest = indexes.slice(first.length);
    const left = { ...doubt, batch: this.#partOf(batch, rest) };
    for (const one of rest.length > 0 ? [left, ...others] : others) this.#hold(one);
    return first.map((index) => {
      const proof = partOfBatch(batch, [index]);
      this.#proofs.set(proof, left);
      if (!refused) return this.#sendAgain(batch, proof, PROBE);
      this.#settleJournal(batch, proof, 'unsent', '');
      return proof;
    });
  }

  /** Where the next proof is to come from: of a refused batch, if there is one. */
  #nextProof(held: readonly HeldDoubt[]): HeldDoubt | undefined {
    const lacking = held.filter(({ lacksProof }) => lacksProof);
    return lacking.find(({ refused }) => refused) ?? (this.#probed ? undefined : lacking[0]);
  }

  #partOf(batch: Batch, indexes: readonly number[]): Batch {
    const part = partOfBatch(batch, indexes);
    this.#port.journal?.isPartOf(part, batch);
    return part;
  }

  #keep(doubt: HeldDoubt, whole: Batch): void {
    this.#port.journal?.isPartOf(doubt.batch, whole);
    this.#hold({ ...doubt, lacksProof: true });
  }

  /** What the service refused, and did not take. */
  #sendRefused(batch: Batch, part: Batch, telling: boolean): readonly Batch[] {
    this.#settleJournal(batch, part, 'unsent', '');
    return this.#port.refusals.tookNone(part, telling);
  }

  #now(): number {
    return (this.#port.clock ?? systemClock).now();
  }

  #sendAgain(batch: Batch, part: Batch, why: string): Batch {
    this.#settleJournal(batch, part, 'unsent', why);
    for (const range of recordsOf(part)) this.#again.set(range, true);
    for (const range of part.ranges) this.#port.recorder.sentAgain(range, why);
    return part;
  }

  #settleAccepted(batch: Batch, part: Batch): void {
    this.#settleJournal(batch, part, 'accepted', '');
    this.#port.recorder.settled(part, 'accepted', '');
  }

  #settleUnknown(
    { batch }: Pick<HeldDoubt, 'batch' | 'message'>,
    part: Batch,
    message: string,
  ): void {
    this.#settleJournal(batch, part, 'unknown', message);
    this.#port.recorder.settled(part, 'unknown', message);
  }

  #settleJournal(batch: Batch, part: Batch, outcome: SentOutcome, message: string): void {
    this.#port.journal?.settle(batch, { outcome, message }, part);
  }

  #wasSentAgain({ ranges }: Batch): boolean {
    return ranges.some(({ documents, from, to }) => {
      for (let document = from; document < to; document += 1) {
        const record = recordNumber(documents, document);
        if (this.#again.get(documents.chunk.input, record) === true) return true;
      }
      return false;
    });
  }
}

function indexesOf({ from, to }: DocumentRange): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => index);
}

function doubtOf({ batch, endedMs }: HeldDoubt): Doubt {
  return {
    ids: batch.ranges.flatMap(sourceIdsOf),
    published: publishedWindow(batch),
    endedMs,
  };
}
