import { type Batch, type Documents, publishedWindow, sourceIdsOf } from '../../model/documents.js';
import { partOfBatch } from '../batching/parts.js';
import type { Verdict } from '../judge-answer.js';
import type { DeliveryPort } from '../port.js';
import type { Acknowledgements } from './acknowledged.js';
import type { Refusals } from './refusals.js';
import { PROBE, RESENT, reconciledText, waitingNotice } from './texts.js';
import type {
  Reconciled,
  ReconciliationSettings,
  UnconfirmedRequest,
} from './unconfirmed-request.js';

/** What to do about documents that may or may not have been taken. */
export type OnUnknown =
  /** Reconcile them, and send again only what is missing. */
  | 'resolve'
  /** Leave them unknown. */
  | 'hold'
  /** Send them again at once: they may then be there twice. */
  | 'resend';

/** What reconciliation works with. */
export interface ReconciliationMeans {
  readonly onUnknown: OnUnknown;
  readonly settings: ReconciliationSettings;
  /** What is known of refusals of several documents. */
  readonly refusals: Refusals;
  readonly acknowledgements: Acknowledgements;
  /** One for each request; the same order. */
  readonly reconcile: (requests: readonly UnconfirmedRequest[]) => Promise<readonly Reconciled[]>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Unconfirmed documents of one request. */
interface Held {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  /** The service refused it, and may have taken some of it. */
  readonly refused: boolean;
  /** It was reconciled, and all that it takes to believe what that showed is a proof. */
  readonly lacksProof?: true;
  /** Documents before those that are left of it were refused alone. */
  headless?: boolean;
}

/** After so many proofs in a row that were refused, one more goes at a time. */
const REFUSED_PER_PROOF = 16;
const MAX_PROOFS = 32;

/** So much memory may be held by them before a run reconciles them instead of sending more. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Settles what answers say of requests. Those whose outcome is unknown, and batches that were
 * refused by a service that may have taken some of them, are kept until they have been reconciled,
 * so that what is missing can be sent again.
 */
export class Reconciliation {
  readonly #port: Port;
  readonly #means: ReconciliationMeans;
  #held: Held[] = [];
  /** What can't be freed because of them: a document holds all that its chunk became. */
  #retained = new Set<Documents>();
  #bytes = 0;
  #probed = false;
  /** Documents that go alone as the proof, with what is left of their batch. */
  readonly #proofs = new Map<Batch, Held>();
  /** How many of them were refused; `undefined`: nothing lacks a proof. */
  #refusedProofs: number | undefined;
  /** Documents that were sent a second time. */
  readonly #again = new WeakMap<Documents, Set<number>>();

  constructor(port: Port, means: ReconciliationMeans) {
    this.#port = port;
    this.#means = means;
  }

  /** Whether there is no room for more. */
  get full(): boolean {
    return this.#bytes >= MAX_BYTES;
  }

  /** What an answer says of a request. */
  answered(batch: Batch, { kind, message, refused }: Verdict): void {
    this.#means.refusals.answered(batch, kind);
    this.#noteProof(batch, kind);
    if (kind === 'unknown') {
      this.add(batch, message, refused === true);
    } else if (kind === 'no-access' || kind === 'unsent') {
      this.#port.settle(batch, { outcome: 'unsent', message: '' });
    } else {
      if (kind === 'accepted') this.#means.acknowledgements.note(batch, this.#means.now());
      this.#settle(batch, kind, message);
    }
  }

  /**
   * A request has ended, and nobody knows what came of it.
   * @param refused the service refused a batch of several documents, and may have taken some
   */
  add(batch: Batch, message: string, refused = false): void {
    if (!refused && (this.#means.onUnknown === 'hold' || this.#wasSentAgain(batch))) {
      this.#settle(batch, 'unknown', message);
      return;
    }
    this.#port.settle(batch, { outcome: 'unknown', message });
    // For a request that a crash cut off, too: clocks can't be trusted across processes.
    this.#hold({ batch, message, endedMs: this.#means.now(), refused });
  }

  /**
   * Reconciles all that is unconfirmed, and settles what that tells.
   * @returns what is missing, to be sent again; empty when there is nothing left to find out
   */
  async resolve(): Promise<readonly Batch[]> {
    const { refusals, reconcile, settings } = this.#means;
    const released = refusals.takeReleased();
    if (released.length > 0) return released;
    const sure = this.#release((held) => this.#needsNoReading(held));
    if (sure.length > 0) return sure.flatMap((held) => this.#sendUnread(held));
    if (this.#refusedProofs !== undefined && this.#nextProof() !== undefined) return this.#prove();
    const held = this.#release();
    if (held.length === 0) return [];
    this.#port.notice(waitingNotice(held, settings));
    const reconciled = await reconcile(held.map(requestOf));
    const again = held.flatMap((one, index) => this.#take(one, reconciled[index] as Reconciled));
    return again.length === 0 ? this.#prove() : again;
  }

  /** There is no time to reconcile: what is unconfirmed stays so. */
  giveUp(): void {
    for (const { batch, message } of this.#release()) this.#settle(batch, 'unknown', message);
  }

  #noteProof(batch: Batch, kind: Verdict['kind']): void {
    if (kind === 'accepted') this.#refusedProofs = undefined;
    const rest = this.#proofs.get(batch);
    if (rest === undefined || kind === 'accepted') return;
    rest.headless = true;
    // What was refused alone was not taken, so that one more is in no more danger.
    if (kind === 'rejected' && !rest.refused) this.#probed = false;
    if (this.#refusedProofs !== undefined) this.#refusedProofs += 1;
  }

  #hold(held: Held): void {
    this.#held.push(held);
    for (const { documents } of held.batch.ranges) {
      if (this.#retained.has(documents)) continue;
      this.#retained.add(documents);
      this.#bytes += documents.bytes.byteLength;
    }
  }

  /** @param which all, unless told otherwise */
  #release(which: (held: Held) => boolean = () => true): readonly Held[] {
    const all = this.#held;
    this.#held = [];
    this.#retained = new Set();
    this.#bytes = 0;
    for (const held of all) if (!which(held)) this.#hold(held);
    return all.filter(which);
  }

  #needsNoReading({ refused }: Held): boolean {
    return refused ? this.#means.refusals.atomic : this.#means.onUnknown === 'resend';
  }

  #sendUnread({ batch, refused }: Held): readonly Batch[] {
    return refused ? this.#sendRefused(batch, false) : [this.#sendAgain(batch, RESENT)];
  }

  /** Takes in what reconciling a request has told, and gives what is to be sent again. */
  #take(held: Held, reconciled: Reconciled): readonly Batch[] {
    const { batch, message, refused, headless = false } = held;
    const part = (indexes: readonly number[]): Batch => this.#part(batch, indexes);
    const { accepted, absent, undecided, twice, needsProof, reason } = reconciled;
    if (accepted.length > 0) this.#settle(part(accepted), 'accepted', '');
    if (accepted.length > 0 && refused) this.#means.refusals.tookSome();
    if (twice.length > 0) this.#port.shownTwice(part(twice));
    if (undecided.length > 0) {
      const mayProve = needsProof && (refused || !this.#probed);
      if (mayProve) this.#hold({ ...held, batch: part(undecided), lacksProof: true });
      else this.#settle(part(undecided), 'unknown', `${message}; ${reason ?? 'undecided'}`);
    }
    if (absent.length === 0) return [];
    if (!refused) return [this.#sendAgain(part(absent), reconciledText(reconciled))];
    return this.#sendRefused(part(absent), absent.length === batch.count && !headless);
  }

  /**
   * Nothing was acknowledged that could prove that reading shows what came later: one document may
   * do. Those of a refused batch go one after the other until one is accepted, as a document that
   * is refused alone was not taken; others may have been, so there is only one try.
   */
  #prove(): readonly Batch[] {
    const next = this.#nextProof();
    if (next === undefined) return [];
    const others = this.#release().filter((held) => held !== next);
    const { batch, refused } = next;
    this.#probed ||= !refused;
    this.#refusedProofs ??= 0;
    const proofs = refused ? 1 + Math.floor(this.#refusedProofs / REFUSED_PER_PROOF) : 1;
    const indexes = Array.from({ length: batch.count }, (_, index) => index);
    const first = indexes.slice(0, Math.min(proofs, MAX_PROOFS));
    const left = { ...next, batch: this.#part(batch, indexes.slice(first.length)) };
    for (const held of left.batch.count > 0 ? [left, ...others] : others) this.#hold(held);
    return first.map((index) => {
      const proof = this.#part(batch, [index]);
      this.#proofs.set(proof, left);
      if (!refused) return this.#sendAgain(proof, PROBE);
      this.#port.settle(proof, { outcome: 'unsent', message: '' });
      return proof;
    });
  }

  /** Where the next proof is to come from: of a refused batch, if there is one. */
  #nextProof(): Held | undefined {
    const lacking = this.#held.filter(({ lacksProof }) => lacksProof);
    return lacking.find(({ refused }) => refused) ?? (this.#probed ? undefined : lacking[0]);
  }

  /** What the service refused, and did not take. */
  #sendRefused(part: Batch, telling: boolean): readonly Batch[] {
    this.#port.settle(part, { outcome: 'unsent', message: '' });
    return this.#means.refusals.tookNone(part, telling);
  }

  #sendAgain(part: Batch, why: string): Batch {
    this.#port.settle(part, { outcome: 'unsent', message: why });
    for (const { documents, from, to } of part.ranges) {
      const again = this.#again.get(documents) ?? new Set();
      for (let document = from; document < to; document += 1) again.add(document);
      this.#again.set(documents, again);
    }
    this.#port.sentAgain(part, why);
    return part;
  }

  #settle(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    this.#port.settle(batch, { outcome, message });
    this.#port.outcome(batch, outcome, message);
  }

  /** Some documents of a request; what is written down of them concerns that request. */
  #part(batch: Batch, indexes: readonly number[]): Batch {
    const part = partOfBatch(batch, indexes);
    this.#port.isPartOf(part, batch);
    return part;
  }

  #wasSentAgain({ ranges }: Batch): boolean {
    return ranges.some(({ documents, from, to }) => {
      const again = this.#again.get(documents);
      for (let document = from; document < to; document += 1) {
        if (again?.has(document)) return true;
      }
      return false;
    });
  }
}

/** What reconciliation needs from outside. */
type Port = Pick<
  DeliveryPort,
  'settle' | 'isPartOf' | 'outcome' | 'sentAgain' | 'shownTwice' | 'notice'
>;

function requestOf({ batch, endedMs }: Held): UnconfirmedRequest {
  const ids = batch.ranges.flatMap(sourceIdsOf);
  return { ids, published: publishedWindow(batch), endedMs };
}
