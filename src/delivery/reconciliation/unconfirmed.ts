import { backoffMs } from '../../api/transport/backoff.js';
import { excerpt } from '../../api/transport/exchange.js';
import { type Batch, type Documents, publishedWindow, sourceIdsOf } from '../../model/documents.js';
import { cutBatch, partOfBatch } from '../batches.js';
import type { Verdict } from '../classify-response.js';
import type { DeliveryContext, DeliveryResult } from '../context.js';
import { type Resend, unsentBefore, type Waiting } from '../send-queue.js';
import { absenceShowsMs, minSettleMs, type Reconciled } from './decision.js';
import type { Acknowledgements } from './evidence.js';
import { reconcile } from './reconcile.js';

/** Unconfirmed documents of one request. */
interface Held {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  /** The service refused it, and may have taken some of it. */
  readonly refused: boolean;
  /** It had been sent again when this happened: there is no third time. */
  readonly sentAgain: boolean;
  /** It was reconciled, and all that is missing to trust the result is a proof. */
  readonly lacksProof: boolean;
  /** It is a single document that was sent again as the proof. */
  readonly isProof: boolean;
}

/** After so many proofs in a row that were refused, one more goes at a time. */
const REFUSED_PER_PROOF = 16;
const MAX_PROOFS = 32;

/** Most memory that unconfirmed documents may hold before they are reconciled. */
const MAX_BYTES = 64 * 2 ** 20;

/** Why one document was sent again as a proof. */
const PROBE =
  'no usable answer came; reconciliation did not find it, and it was sent again to see whether what is sent shows';

/**
 * Settles what answers say of requests. Documents that may have been taken (no answer, one that
 * isn't the service's, a refusal of several) are held until they are reconciled, so that what is
 * missing can be sent again.
 */
export class Reconciliation {
  readonly #context: DeliveryContext;
  readonly #acknowledgements: Acknowledgements;
  readonly #results: DeliveryResult[] = [];
  /** What is to be sent again. */
  readonly #missing: Waiting[] = [];
  readonly #held: Held[] = [];
  /** What can't be freed because of them: a document holds all that its chunk became. */
  readonly #retained = new Set<Documents>();
  #bytes = 0;
  /** A document that may have been taken was sent again as the proof: there is only one try. */
  #probed = false;
  /** How many proofs were refused since one was accepted; `undefined`: nothing lacks a proof. */
  #refusedProofs: number | undefined;
  /** Proofs in a row without an answer, and since when, in milliseconds since 1970. */
  #unanswered: { readonly sinceMs: number; readonly proofs: number } | undefined;

  constructor(context: DeliveryContext, acknowledgements: Acknowledgements) {
    this.#context = context;
    this.#acknowledgements = acknowledgements;
  }

  /** Whether there is no room for more unconfirmed documents. */
  get full(): boolean {
    return this.#bytes >= MAX_BYTES;
  }

  /** Takes out the results since it was last asked. */
  takeResults(): readonly DeliveryResult[] {
    return this.#results.splice(0);
  }

  /**
   * Handles the answer to a request.
   * @param resend why its documents had been sent before, if they had
   */
  answered(batch: Batch, verdict: Verdict, resend?: Resend): void {
    const { kind, message, unexpectedResponder = false, cause } = verdict;
    const { stops, clock, journal } = this.#context;
    this.#noteProof(kind, resend?.proofOf);
    if (kind === 'no-access' || unexpectedResponder) {
      stops.stop({ kind: 'no-access', message, cause });
    }
    if (kind === 'unknown') this.#hold(batch, verdict, resend);
    else if (kind === 'accepted' || kind === 'rejected') {
      if (kind === 'accepted') this.#acknowledgements.note(batch, clock.now());
      this.#settle(batch, kind, message);
    } else journal.settle(batch, { outcome: 'unsent', message: '' });
  }

  /**
   * Reconciles all that is unconfirmed, and gives what is missing and has to be sent again: nothing
   * when there is nothing left to find out. Never rejects for what network or service do.
   */
  async resolve(): Promise<readonly Waiting[]> {
    if (this.#missing.length === 0) await this.#findOut();
    return this.#missing.splice(0);
  }

  /** There is no time to reconcile: what is unconfirmed is unknown. */
  giveUp(): void {
    for (const { batch, message } of this.#release()) this.#settle(batch, 'unknown', message);
  }

  /** Holds documents until they are reconciled, unless that isn't wanted or was done before. */
  #hold(batch: Batch, verdict: Verdict, resend: Resend | undefined): void {
    const { settings, journal, clock } = this.#context;
    const { message } = verdict;
    const refused = verdict.refused === true;
    const isProof = !refused && resend?.proofOf !== undefined;
    const sentAgain = resend?.sentAgain === true;
    if (!refused && !isProof && (settings.onUnknown === 'hold' || sentAgain)) {
      this.#settle(batch, 'unknown', message);
      return;
    }
    journal.settle(batch, { outcome: 'unknown', message });
    // For a request that a crash cut off, too: clocks can't be trusted across processes.
    const held = { batch, message, endedMs: clock.now(), refused, sentAgain };
    this.#keep({ ...held, isProof, lacksProof: false });
  }

  #keep(held: Held): void {
    this.#held.push(held);
    for (const { documents } of held.batch.ranges) {
      if (this.#retained.has(documents)) continue;
      this.#retained.add(documents);
      this.#bytes += documents.bytes.byteLength;
    }
  }

  #release(): readonly Held[] {
    this.#retained.clear();
    this.#bytes = 0;
    return this.#held.splice(0);
  }

  async #findOut(): Promise<void> {
    const isProving = this.#refusedProofs !== undefined && this.#nextProof() !== undefined;
    await (isProving ? this.#prove() : this.#reconcile());
  }

  async #reconcile(): Promise<void> {
    const { settings, notice, service, signal, clock } = this.#context;
    const held = this.#release();
    if (held.length === 0) return;
    notice(waitingNotice(held, minSettleMs(settings.reconciliation)));
    const requests = held.map(({ batch, endedMs }) => {
      const ids = batch.ranges.flatMap(sourceIdsOf);
      return { ids, published: publishedWindow(batch), endedMs };
    });
    const acknowledged = () => this.#acknowledgements.list();
    const port = { page: service.page, signal, clock, acknowledged };
    const reconciled = await reconcile(requests, settings.reconciliation, port);
    for (const [index, one] of held.entries()) this.#decide(one, reconciled[index] as Reconciled);
    if (this.#missing.length > 0) return;
    // A proof that shows, though its answer was lost, may decide the others.
    const isProven = held.some(
      ({ isProof }, index) => isProof && reconciled[index]?.accepted.length,
    );
    await (isProven ? this.#findOut() : this.#prove());
  }

  /** Settles what reconciling a request has shown. */
  #decide(held: Held, reconciled: Reconciled): void {
    const { batch } = held;
    const { accepted, absent, undecided, twice, readAfterMs } = reconciled;
    if (accepted.length > 0) {
      const found = this.#part(batch, accepted);
      if (held.isProof) this.#acknowledgements.note(found, held.endedMs);
      this.#settle(found, 'accepted', '');
    }
    if (twice.length > 0) {
      this.#results.push({ kind: 'shown-twice', batch: this.#part(batch, twice) });
    }
    if (undecided.length > 0) this.#keepUndecided(held, reconciled);
    if (absent.length === 0) return;
    const missing = this.#part(batch, absent);
    if (held.refused) this.#sendOneByOne(missing, { sentAgain: held.sentAgain });
    else {
      const seconds = Math.round((readAfterMs ?? 0) / 1000);
      this.#resend(
        missing,
        `no usable answer came; reconciliation ${seconds} s later did not find it, so it was sent again: should the first request take effect later still, it is there twice`,
      );
    }
  }

  /** Keeps what a proof may still decide; the rest is unknown. */
  #keepUndecided(held: Held, { undecided, needsProof, isDown, reason }: Reconciled): void {
    const batch = this.#part(held.batch, undecided);
    const message = `${held.message}; ${reason}`;
    if (isDown) this.#stopForOutage(message);
    if (needsProof && (held.refused || !this.#probed)) {
      this.#keep({ ...held, batch, lacksProof: true });
    } else this.#settle(batch, 'unknown', message);
  }

  /**
   * Nothing was acknowledged that could prove that reading shows what came later: one document may
   * do. Those of a refused batch go one after the other until one is accepted, as a document that
   * is refused alone was not taken; others may have been, so there is only one try.
   */
  async #prove(): Promise<void> {
    const next = this.#nextProof();
    if (next === undefined || !(await this.#mayTryAgain(next))) return;
    const others = this.#release().filter((held) => held !== next);
    const { batch, refused, sentAgain } = next;
    this.#probed ||= !refused;
    this.#refusedProofs ??= 0;
    const atOnce = refused ? 1 + Math.floor(this.#refusedProofs / REFUSED_PER_PROOF) : 1;
    const indexes = Array.from({ length: batch.count }, (_, index) => index);
    const count = Math.min(atOnce, MAX_PROOFS);
    const first = this.#part(batch, indexes.slice(0, count));
    const left = { ...next, batch: this.#part(batch, indexes.slice(count)) };
    for (const held of left.batch.count > 0 ? [left, ...others] : others) this.#keep(held);
    if (refused) this.#sendOneByOne(first, { sentAgain, proofOf: left });
    else this.#resend(first, PROBE, left);
  }

  /** The request whose document is the next proof: a refused one, if there is one. */
  #nextProof(): Held | undefined {
    const lacking = this.#held.filter(({ lacksProof }) => lacksProof);
    const refused = lacking.find((held) => held.refused);
    if (refused !== undefined) return refused;
    // The same document as before, so that no other one is in danger of being there twice.
    return this.#probed ? undefined : (lacking.find(({ isProof }) => isProof) ?? lacking[0]);
  }

  /** After proofs without an answer: waits, and stops the run once the service was down for too long. */
  async #mayTryAgain({ refused, message }: Held): Promise<boolean> {
    const { clock, settings, stops, signal } = this.#context;
    if (refused || this.#unanswered === undefined) return true;
    const { sinceMs, proofs } = this.#unanswered;
    if (clock.now() - sinceMs > settings.maxOutageMs) {
      this.#stopForOutage(message);
      return false;
    }
    await clock.sleep(backoffMs(proofs, clock.random()), signal);
    return !stops.stopsSending;
  }

  #noteProof(kind: Verdict['kind'], proofOf: Resend['proofOf']): void {
    if (kind === 'accepted') {
      this.#refusedProofs = undefined;
      this.#unanswered = undefined;
    }
    if (proofOf === undefined || kind === 'accepted') return;
    // What was refused alone was not taken, so that one more is in no more danger.
    if (kind === 'rejected' && !proofOf.refused) this.#probed = false;
    if (kind === 'unknown' && !proofOf.refused) {
      const { sinceMs = proofOf.endedMs, proofs = 0 } = this.#unanswered ?? {};
      this.#unanswered = { sinceMs, proofs: proofs + 1 };
      // It is reconciled, too, before another one goes.
      this.#refusedProofs = undefined;
      this.#probed = false;
    }
    if (this.#refusedProofs !== undefined) this.#refusedProofs += 1;
  }

  #stopForOutage(why: string): void {
    const message = `the outcome of a request can't be determined: ${why}`;
    this.#context.stops.stop({ kind: 'service-down', message });
  }

  /** Documents of a refused batch that were not taken. One that is refused alone certainly isn't. */
  #sendOneByOne(batch: Batch, resend: Resend): void {
    this.#context.journal.settle(batch, { outcome: 'unsent', message: '' });
    for (const single of batch.count === 1 ? [batch] : cutBatch(batch, batch.count)) {
      this.#missing.push({ ...unsentBefore(single), resend });
    }
  }

  #resend(batch: Batch, message: string, proofOf?: Held): void {
    this.#context.journal.settle(batch, { outcome: 'unsent', message });
    this.#results.push({ kind: 'sent-again', batch, message });
    this.#missing.push({ ...unsentBefore(batch), tries: 1, resend: { sentAgain: true, proofOf } });
  }

  #settle(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    this.#context.journal.settle(batch, { outcome, message });
    this.#results.push({ kind: 'settled', batch, outcome, message });
  }

  /** Some documents of a request; what the journal says of them concerns that request. */
  #part(batch: Batch, indexes: readonly number[]): Batch {
    const part = partOfBatch(batch, indexes);
    this.#context.journal.isPartOf(part, batch);
    return part;
  }
}

/** Says what a run waits for, how long at least, and what would spare it that. */
function waitingNotice(held: readonly Held[], settleMs: number): string {
  const refused = held.filter((one) => one.refused);
  const others = held.filter((one) => !one.refused);
  const until = Math.max(...held.map(({ endedMs }) => absenceShowsMs(endedMs, settleMs)));
  const unanswered = `No usable answer came for ${documentsOf(others)}. `;
  const waiting = `Reconciling them, until ${clockTime(until)} at the earliest.`;
  const [first] = refused;
  if (first === undefined) return unanswered + waiting;
  const batches = refused.length === 1 ? 'a batch' : `${refused.length} batches`;
  const refusal = `A refusal of ${batches} with ${documentsOf(refused)} leaves open whether the service took some of them (${excerpt(first.message)}).`;
  const remedy = 'If it takes nothing of a batch that it refuses, --refusals atomic skips this.';
  return `${others.length > 0 ? unanswered : ''}${refusal} ${waiting} ${remedy}`;
}

function documentsOf(held: readonly Held[]): string {
  const count = held.reduce((sum, { batch }) => sum + batch.count, 0);
  return count === 1 ? '1 document' : `${count} documents`;
}

/** The next whole minute of the clock on the wall. */
function clockTime(ms: number): string {
  const minute = new Date(Math.ceil(ms / 60_000) * 60_000);
  return minute.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
