import { oneLineExcerpt } from '../../api/transport/exchange.js';
import {
  type Acknowledged,
  type Batch,
  publishedWindow,
  sourceIdsOf,
} from '../../model/documents.js';
import { count } from '../../model/figures.js';
import { cutBatch, partOfBatch } from '../batches.js';
import type { Verdict } from '../classify-response.js';
import type { DeliveryContext, DeliveryResult } from '../context.js';
import { firstTry, type QueuedBatch, type Resend } from '../send-queue.js';
import { Acknowledgements } from './acknowledgements.js';
import { afterAnswer, afterSending, type CanaryState, canariesAtOnce } from './canary.js';
import { HeldBatches, type UnconfirmedBatch, wasSentTwice } from './held-batches.js';
import { reconcile } from './reconcile.js';
import { absenceShowsMs, minSettleMs, type Reconciled } from './request-case.js';

/** What reconciling found out. */
interface Resolved {
  readonly results: readonly DeliveryResult[];
  /** Batches to resend; empty if nothing is left to find out. */
  readonly missing: readonly QueuedBatch[];
}

/**
 * Names no document and no time, because a report explains all documents that were sent again by the
 * first one's message.
 */
const CANARY_MESSAGE =
  'there was no usable answer; reconciliation did not find the document, so it was sent again; if the first request takes effect later, the service has the document twice';

const SENT_TWICE_MESSAGE =
  'it was sent twice without a usable answer, and does not show: resume the run to reconcile it once more';

/**
 * Settles requests by their answers, and reconciles documents that may have been stored. The life
 * of an unconfirmed batch:
 *
 * 1. Its request gets no usable answer, or the service refuses it and may have stored some of its
 *    documents. The batch is held.
 * 2. Once there is nothing else to send, or held batches fill the memory, `reconcile` reads what the
 *    service shows. Documents that show are accepted.
 * 3. Documents that are absent are sent again, once: those of a refused batch one by one, others
 *    together.
 * 4. Without a document that was acknowledged after the request, readings may be out of date. Then a
 *    document of the batch is sent alone as a canary: a reading that shows it would show anything
 *    stored earlier.
 *    - If the canary is accepted, step 2 follows.
 *    - If it is refused, its outcome is `rejected`, and the next document is the canary.
 *    - If it gets no answer, step 2 follows. If it doesn't show, it is sent again, until that has
 *      taken as long as an outage may last.
 * 5. What can't be decided is unknown until the run is resumed.
 *
 * A canary of a refused batch is harmless: if it is refused alone as well, it wasn't stored. A canary
 * of an unanswered batch may be stored twice. So once one has been accepted, this run sends no other.
 */
export class Reconciliation {
  readonly #context: DeliveryContext;
  readonly #acknowledgements: Acknowledgements;
  readonly #results: DeliveryResult[] = [];
  readonly #missing: QueuedBatch[] = [];
  readonly #held = new HeldBatches();
  #canary: CanaryState = { kind: 'none' };
  /** A canary that may be there twice was accepted. */
  #riskTaken = false;

  /** @param recalled documents acknowledged to an earlier process of this run */
  constructor(context: DeliveryContext, recalled: readonly Acknowledged[] = []) {
    this.#context = context;
    this.#acknowledgements = new Acknowledgements(recalled, context.clock.now());
  }

  /** Returns whether the memory for unconfirmed documents is used up. */
  get full(): boolean {
    return this.#held.full;
  }

  /**
   * Handles the answer to a request.
   * @param resend set if its documents had been sent before
   * @returns what is known of its documents now; nothing while they are held
   */
  answered(batch: Batch, verdict: Verdict, resend?: Resend): readonly DeliveryResult[] {
    const { kind, message, unexpectedResponder = false, cause } = verdict;
    const { stops, clock, journal } = this.#context;
    this.#canary = afterAnswer(this.#canary, kind, resend?.canaryFor);
    this.#riskTaken ||= kind === 'accepted' && resend?.canaryFor?.refused === false;
    if (kind === 'no-access' || unexpectedResponder) {
      stops.stop({ kind: 'no-access', message, cause });
    }
    if (kind === 'unknown') this.#awaitReconciliation(batch, verdict, resend);
    else if (kind === 'accepted' || kind === 'rejected') {
      if (kind === 'accepted') this.#acknowledgements.note(batch, clock.now());
      this.#settle(batch, kind, message);
    } else if (resend?.canaryFor !== undefined) {
      const { message } = resend.canaryFor;
      this.#awaitReconciliation(batch, { kind: 'unknown', message }, resend);
    } else journal.settle(batch, { outcome: 'unsent', message: '' });
    return this.#results.splice(0);
  }

  /** Reconciles all unconfirmed documents. Never rejects because of the network or the service. */
  async resolve(): Promise<Resolved> {
    const skipsReading = this.#canary.kind === 'sending' && this.#held.nextCanary() !== undefined;
    if (!skipsReading) await this.#reconcile();
    if (this.#missing.length === 0) this.#sendCanary();
    return { results: this.#results.splice(0), missing: this.#missing.splice(0) };
  }

  /** Settles unconfirmed documents as unknown, without reconciling them. */
  giveUp(): readonly DeliveryResult[] {
    for (const { batch, message } of this.#held.release()) this.#settle(batch, 'unknown', message);
    return this.#results.splice(0);
  }

  /** Keeps documents to be reconciled, unless that is turned off (`onUnknown: hold`). */
  #awaitReconciliation(batch: Batch, verdict: Verdict, resend: Resend | undefined): void {
    const { settings, journal, clock } = this.#context;
    const { message, partlyRefused: refused = false } = verdict;
    const isCanary = resend?.canaryFor !== undefined;
    const sentAgain = resend?.sentAgain === true;
    if (!refused && !isCanary && settings.onUnknown === 'hold') {
      this.#settle(batch, 'unknown', message);
      return;
    }
    journal.settle(batch, { outcome: 'unknown', message });
    // Also for a request cut off by a crash: clocks can't be compared across processes.
    const held = { batch, message, endedMs: clock.now(), refused, sentAgain };
    this.#held.add({ ...held, isCanary, lacksCanary: false });
  }

  async #reconcile(): Promise<void> {
    const { settings, notice, service, signal, clock } = this.#context;
    const held = this.#held.release();
    if (held.length === 0) return;
    notice(waitingNotice(held, minSettleMs(settings.reconciliation)));
    const requests = held.map(({ batch, endedMs }) => {
      const ids = batch.ranges.flatMap(sourceIdsOf);
      return { ids, published: publishedWindow(batch), endedMs };
    });
    const acknowledged = () => this.#acknowledgements.list();
    const port = { page: service.page, signal, clock, acknowledged };
    const reconciled = await reconcile(requests, settings.reconciliation, port);
    for (const [index, one] of held.entries())
      this.#settleReconciled(one, reconciled[index] as Reconciled);
    // A canary whose answer was lost, but which shows, may decide the other requests.
    const canaryShows = held.some(
      ({ isCanary }, index) => isCanary && reconciled[index]?.accepted.length,
    );
    if (canaryShows && this.#missing.length === 0) await this.#reconcile();
  }

  #settleReconciled(held: UnconfirmedBatch, reconciled: Reconciled): void {
    const { batch } = held;
    const { accepted, absent, undecided, shownTwice, readAfterMs } = reconciled;
    if (accepted.length > 0) {
      const found = partOfBatch(batch, accepted);
      if (held.isCanary) this.#acknowledgements.note(found, held.endedMs);
      this.#settle(found, 'accepted', '');
    }
    if (shownTwice.length > 0) {
      this.#results.push({ kind: 'shown-twice', batch: partOfBatch(batch, shownTwice) });
    }
    if (undecided.length > 0) this.#holdUndecided(held, reconciled);
    if (absent.length === 0) return;
    const missing = partOfBatch(batch, absent);
    if (held.refused) this.#sendOneByOne(missing, { sentAgain: held.sentAgain });
    else if (wasSentTwice(held)) this.#settle(missing, 'unknown', SENT_TWICE_MESSAGE);
    else {
      const seconds = Math.round((readAfterMs ?? 0) / 1000);
      this.#resend(
        missing,
        `there was no usable answer; reconciliation ${seconds} s later did not find the document, so it was sent again; if the first request takes effect later, the service has the document twice`,
      );
    }
  }

  /** Holds documents that a canary may still decide; the rest is unknown. */
  #holdUndecided(held: UnconfirmedBatch, reconciled: Reconciled): void {
    const { undecided, needsCanary, isDown, reason } = reconciled;
    const batch = partOfBatch(held.batch, undecided);
    const message = `${held.message}; not reconciled: ${reason}`;
    if (isDown) this.#stopForOutage(message);
    if (needsCanary && wasSentTwice(held)) this.#settle(batch, 'unknown', SENT_TWICE_MESSAGE);
    else if (needsCanary && (held.refused || !this.#riskTaken)) {
      this.#held.add({ ...held, batch, lacksCanary: true });
    } else {
      // Without the reason: a process that resumes the run reconciles again.
      this.#context.journal.settle(batch, { outcome: 'unknown', message: held.message });
      this.#results.push({ kind: 'outcome', batch, outcome: 'unknown', message });
    }
  }

  /** Sends a canary if a batch lacks one, or several harmless ones. The rest of the batch stays held. */
  #sendCanary(): void {
    const next = this.#held.nextCanary();
    if (next === undefined || this.#context.stops.stopsSending) return;
    const { batch, refused, sentAgain, message } = next;
    if (!refused && this.#isDownTooLong) {
      this.#stopForOutage(message);
      return;
    }
    this.#canary = afterSending(this.#canary);
    const atOnce = refused ? canariesAtOnce(this.#canary) : 1;
    const indexes = [...Array(batch.count).keys()];
    const canaries = partOfBatch(batch, indexes.slice(0, atOnce));
    const left = { ...next, batch: partOfBatch(batch, indexes.slice(atOnce)) };
    const held = [left, ...this.#held.release().filter((one) => one !== next)];
    for (const one of held) if (one.batch.count > 0) this.#held.add(one);
    if (refused) this.#sendOneByOne(canaries, { sentAgain, canaryFor: left });
    else this.#resend(canaries, CANARY_MESSAGE, left);
  }

  get #isDownTooLong(): boolean {
    const { clock, settings } = this.#context;
    if (this.#canary.kind !== 'unanswered') return false;
    return clock.now() - this.#canary.sinceMs > settings.maxOutageMs;
  }

  #stopForOutage(why: string): void {
    const message = `the outcome of a request can't be determined: ${why}`;
    this.#context.stops.stop({ kind: 'service-down', message });
  }

  /**
   * Resends missing documents of a refused batch one by one. One that is refused alone wasn't
   * stored.
   */
  #sendOneByOne(batch: Batch, resend: Resend): void {
    if (resend.canaryFor === undefined) {
      this.#context.journal.settle(batch, { outcome: 'unsent', message: '' });
    }
    for (const single of batch.count === 1 ? [batch] : cutBatch(batch, batch.count)) {
      this.#missing.push({ ...firstTry(single), resend });
    }
  }

  #resend(batch: Batch, message: string, canaryFor?: UnconfirmedBatch): void {
    if (canaryFor === undefined)
      this.#context.journal.settle(batch, { outcome: 'unsent', message });
    this.#results.push({ kind: 'sent-again', batch, message });
    this.#missing.push({ ...firstTry(batch), tries: 1, resend: { sentAgain: true, canaryFor } });
  }

  #settle(batch: Batch, outcome: 'accepted' | 'rejected' | 'unknown', message: string): void {
    this.#context.journal.settle(batch, { outcome, message });
    const isOther = outcome === 'accepted' && batch.sentOther === true;
    this.#results.push(
      isOther
        ? { kind: 'service-has-other-content', batch }
        : { kind: 'outcome', batch, outcome, message },
    );
  }
}

/** Explains what a run waits for, until when, and how to avoid that. */
function waitingNotice(held: readonly UnconfirmedBatch[], settleMs: number): string {
  const refused = held.filter((one) => one.refused);
  const others = held.filter((one) => !one.refused);
  const until = Math.max(...held.map(({ endedMs }) => absenceShowsMs(endedMs, settleMs)));
  const unanswered = `There was no usable answer for ${documentsOf(others)}. `;
  const waiting = `Reconciling them, until ${clockTime(until)} at the earliest.`;
  const [first] = refused;
  if (first === undefined) return unanswered + waiting;
  const batches = refused.length === 1 ? 'a batch' : `${refused.length} batches`;
  const refusal = `The service refused ${batches} with ${documentsOf(refused)}, and may have stored some of them (${oneLineExcerpt(first.message)}).`;
  const remedy = 'If it never stores part of a refused batch, --refusals atomic skips this.';
  return `${others.length > 0 ? unanswered : ''}${refusal} ${waiting} ${remedy}`;
}

function documentsOf(held: readonly UnconfirmedBatch[]): string {
  const documents = held.reduce((sum, { batch }) => sum + batch.count, 0);
  return count(documents, 'document');
}

/** Local time, rounded up to a minute. */
function clockTime(ms: number): string {
  const minute = new Date(Math.ceil(ms / 60_000) * 60_000);
  return minute.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
