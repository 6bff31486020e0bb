import { backoffMs } from '../../api/transport/backoff.js';
import { type Batch, type Documents, publishedWindow, sourceIdsOf } from '../../model/documents.js';
import { cutBatch, partOfBatch } from '../batching/parts.js';
import type { Verdict } from '../classify-response.js';
import type { DeliveryContext, DeliveryResult } from '../context.js';
import { sentBefore, unsentBefore, type Waiting } from '../send-queue.js';
import type { Acknowledgements } from './acknowledged.js';
import { reconcile } from './reconcile.js';
import { PROBE, RESENT, reconciledText, waitingNotice } from './texts.js';
import type { Reconciled, UnconfirmedRequest } from './unconfirmed-request.js';

/** Unconfirmed documents of one request. */
interface Held {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
  /** The service refused it, and may have taken some of it. */
  readonly refused: boolean;
  /** It was reconciled, and all that is missing to trust the result is a proof. */
  readonly lacksProof?: true;
  /** It is a single document that was sent again as the proof. */
  readonly isProof?: true;
}

/** Results, and what is missing and has to be sent again. */
interface Resolved {
  readonly results: readonly DeliveryResult[];
  readonly missing: readonly Waiting[];
}

/** After so many proofs in a row that were refused, one more goes at a time. */
const REFUSED_PER_PROOF = 16;
const MAX_PROOFS = 32;

/** Most memory that unconfirmed documents may hold before they are reconciled. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Settles what answers say of requests. Documents that may have been taken (no answer, one that
 * isn't the service's, a refusal of several) are held until they are reconciled, so that what is
 * missing can be sent again.
 */
export class Reconciliation {
  readonly #context: DeliveryContext;
  readonly #acknowledgements: Acknowledgements;
  #held: Held[] = [];
  /** What can't be freed because of them: a document holds all that its chunk became. */
  #retained = new Set<Documents>();
  #bytes = 0;
  #probed = false;
  /** Documents that go alone as the proof, with what is left of their batch. */
  readonly #proofs = new Map<Batch, Held>();
  /** How many of them were refused; `undefined`: nothing lacks a proof. */
  #refusedProofs: number | undefined;
  /** Proofs in a row without an answer, and since when, in milliseconds since 1970. */
  #unanswered: { readonly sinceMs: number; readonly proofs: number } | undefined;
  /** Documents that were sent a second time. */
  readonly #again = new WeakMap<Documents, Set<number>>();

  constructor(context: DeliveryContext, acknowledgements: Acknowledgements) {
    this.#context = context;
    this.#acknowledgements = acknowledgements;
  }

  /** Whether there is no room for more unconfirmed documents. */
  get full(): boolean {
    return this.#bytes >= MAX_BYTES;
  }

  /** Handles the answer to a request. */
  answered(batch: Batch, verdict: Verdict): readonly DeliveryResult[] {
    const { kind, message, refused = false, unexpectedResponder = false, cause } = verdict;
    const { stops, clock } = this.#context;
    this.#noteProof(batch, kind);
    if (kind === 'no-access' || unexpectedResponder) {
      stops.stop({ kind: 'no-access', message, cause });
    }
    if (kind === 'unknown') return this.#hold(batch, message, refused);
    if (kind === 'accepted' || kind === 'rejected') {
      if (kind === 'accepted') this.#acknowledgements.note(batch, clock.now());
      return [this.#settle(batch, kind, message)];
    }
    this.#context.journal.settle(batch, { outcome: 'unsent', message: '' });
    return [];
  }

  /**
   * Reconciles all that is unconfirmed. Nothing is missing when there is nothing left to find out.
   * Never rejects for what network or service do.
   */
  async resolve(): Promise<Resolved> {
    const { settings, notice, service, signal, clock } = this.#context;
    if (settings.onUnknown === 'resend') {
      const unread = this.#release(({ refused }) => !refused);
      if (unread.length > 0) return merged(unread.map(({ batch }) => this.#resend(batch, RESENT)));
    }
    if (this.#refusedProofs !== undefined && this.#nextProof() !== undefined) {
      return await this.#prove();
    }
    const held = this.#release();
    if (held.length === 0) return { results: [], missing: [] };
    notice(waitingNotice(held, settings.reconciliation));
    const port = { page: service.page, signal, clock };
    const acknowledged = () => this.#acknowledgements.list();
    const reconciled = await reconcile(held.map(requestOf), settings.reconciliation, {
      ...port,
      acknowledged,
    });
    const resolved = merged(
      held.map((one, index) => this.#decide(one, reconciled[index] as Reconciled)),
    );
    if (resolved.missing.length > 0) return resolved;
    // A proof that shows, though its answer was lost, may decide the others.
    const isProven = held.some(
      ({ isProof }, index) => isProof && reconciled[index]?.accepted.length,
    );
    return merged([resolved, await (isProven ? this.resolve() : this.#prove())]);
  }

  /** There is no time to reconcile: what is unconfirmed is unknown. */
  giveUp(): readonly DeliveryResult[] {
    return this.#release().map(({ batch, message }) => this.#settle(batch, 'unknown', message));
  }

  /** Holds documents until they are reconciled, unless that isn't wanted or was done before. */
  #hold(batch: Batch, message: string, refused: boolean): readonly DeliveryResult[] {
    const { settings, journal, clock } = this.#context;
    const isProof = !refused && this.#proofs.has(batch);
    if (!refused && !isProof && (settings.onUnknown === 'hold' || this.#wasSentAgain(batch))) {
      return [this.#settle(batch, 'unknown', message)];
    }
    journal.settle(batch, { outcome: 'unknown', message });
    // For a request that a crash cut off, too: clocks can't be trusted across processes.
    const held = { batch, message, endedMs: clock.now(), refused };
    this.#keep(isProof ? { ...held, isProof } : held);
    return [];
  }

  #keep(held: Held): void {
    this.#held.push(held);
    for (const { documents } of held.batch.ranges) {
      if (this.#retained.has(documents)) continue;
      this.#retained.add(documents);
      this.#bytes += documents.bytes.byteLength;
    }
  }

  #release(which: (held: Held) => boolean = () => true): readonly Held[] {
    const all = this.#held;
    this.#held = [];
    this.#retained = new Set();
    this.#bytes = 0;
    for (const held of all) if (!which(held)) this.#keep(held);
    return all.filter(which);
  }

  /** Settles what reconciling a request has shown, and returns what has to be sent again. */
  #decide(held: Held, reconciled: Reconciled): Resolved {
    const { batch, message, refused } = held;
    const { accepted, absent, undecided, twice, needsProof, reason } = reconciled;
    const part = (indexes: readonly number[]): Batch => this.#part(batch, indexes);
    const results: DeliveryResult[] = [];
    if (accepted.length > 0) {
      const found = part(accepted);
      if (held.isProof) this.#acknowledgements.note(found, held.endedMs);
      results.push(this.#settle(found, 'accepted', ''));
    }
    if (twice.length > 0) results.push({ kind: 'shown-twice', batch: part(twice) });
    if (undecided.length > 0) {
      const mayProve = needsProof && (refused || !this.#probed);
      const rest = part(undecided);
      if (reconciled.isDown) this.#context.stops.stop(outage(message, reason));
      if (mayProve) this.#keep({ ...held, batch: rest, lacksProof: true });
      else results.push(this.#settle(rest, 'unknown', `${message}; ${reason ?? 'undecided'}`));
    }
    if (absent.length === 0) return { results, missing: [] };
    const resent = refused
      ? this.#sendOneByOne(part(absent))
      : this.#resend(part(absent), reconciledText(reconciled));
    return merged([{ results, missing: [] }, resent]);
  }

  /**
   * Nothing was acknowledged that could prove that reading shows what came later: one document may
   * do. Those of a refused batch go one after the other until one is accepted, as a document that
   * is refused alone was not taken; others may have been, so there is only one try.
   */
  async #prove(): Promise<Resolved> {
    const next = this.#nextProof();
    if (next === undefined || !(await this.#mayTryAgain(next))) return { results: [], missing: [] };
    const others = this.#release().filter((held) => held !== next);
    const { batch, refused } = next;
    this.#probed ||= !refused;
    this.#refusedProofs ??= 0;
    const count = refused ? 1 + Math.floor(this.#refusedProofs / REFUSED_PER_PROOF) : 1;
    const indexes = Array.from({ length: batch.count }, (_, index) => index);
    const first = indexes.slice(0, Math.min(count, MAX_PROOFS));
    const left = { ...next, batch: this.#part(batch, indexes.slice(first.length)) };
    for (const held of left.batch.count > 0 ? [left, ...others] : others) this.#keep(held);
    return merged(
      first.map((index) => {
        const proof = this.#part(batch, [index]);
        this.#proofs.set(proof, left);
        return refused ? this.#sendOneByOne(proof) : this.#resend(proof, PROBE);
      }),
    );
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
      stops.stop(outage(message, null));
      return false;
    }
    await clock.sleep(backoffMs(proofs, clock.random()), signal);
    return !stops.stopsSending;
  }

  #noteProof(batch: Batch, kind: Verdict['kind']): void {
    if (kind === 'accepted') {
      this.#refusedProofs = undefined;
      this.#unanswered = undefined;
    }
    const rest = this.#proofs.get(batch);
    if (rest === undefined || kind === 'accepted') return;
    // What was refused alone was not taken, so that one more is in no more danger.
    if (kind === 'rejected' && !rest.refused) this.#probed = false;
    if (kind === 'unknown' && !rest.refused) {
      const { sinceMs = rest.endedMs, proofs = 0 } = this.#unanswered ?? {};
      this.#unanswered = { sinceMs, proofs: proofs + 1 };
      // It is reconciled, too, before another one goes.
      this.#refusedProofs = undefined;
      this.#probed = false;
    }
    if (this.#refusedProofs !== undefined) this.#refusedProofs += 1;
  }

  /** Documents of a refused batch that were not taken. One that is refused alone certainly isn't. */
  #sendOneByOne(batch: Batch): Resolved {
    this.#context.journal.settle(batch, { outcome: 'unsent', message: '' });
    const single = batch.count === 1 ? [batch] : cutBatch(batch, batch.count);
    return { results: [], missing: single.map(unsentBefore) };
  }

  #resend(batch: Batch, message: string): Resolved {
    this.#context.journal.settle(batch, { outcome: 'unsent', message });
    for (const { documents, from, to } of batch.ranges) {
      const again = this.#again.get(documents) ?? new Set();
      for (let document = from; document < to; document += 1) again.add(document);
      this.#again.set(documents, again);
    }
    return { results: [{ kind: 'sent-again', batch, message }], missing: [sentBefore(batch)] };
  }

  #settle(
    batch: Batch,
    outcome: 'accepted' | 'rejected' | 'unknown',
    message: string,
  ): DeliveryResult {
    this.#context.journal.settle(batch, { outcome, message });
    return { kind: 'settled', batch, outcome, message };
  }

  /** Some documents of a request; what the journal says of them concerns that request. */
  #part(batch: Batch, indexes: readonly number[]): Batch {
    const part = partOfBatch(batch, indexes);
    this.#context.journal.isPartOf(part, batch);
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

function outage(message: string, reason: string | null) {
  const why = reason === null ? message : `${message}; ${reason}`;
  return {
    kind: 'service-down',
    message: `the outcome of a request can't be determined: ${why}`,
  } as const;
}

function merged(all: readonly Resolved[]): Resolved {
  return {
    results: all.flatMap(({ results }) => results),
    missing: all.flatMap(({ missing }) => missing),
  };
}

function requestOf({ batch, endedMs }: Held): UnconfirmedRequest {
  const ids = batch.ranges.flatMap(sourceIdsOf);
  return { ids, published: publishedWindow(batch), endedMs };
}
