import { systemClock } from '../../delivery/clock.js';
import type { Doubt, ResolvedDoubt } from '../../delivery/read-back/doubt.js';
import { type Batch, type DocumentRange, type Documents, sourceIdsOf } from '../../documents.js';
import type { JournalOutcome } from '../../journal/entries.js';
import type { RecordState } from '../../journal/journal.js';
import { RecordStates } from '../../journal/record-states.js';
import type { OnUnknown } from '../../options.js';
import { publishedWindow } from '../../published-window.js';
import { recordNumber, recordsOf } from '../../record-ranges.js';
import type { Account } from '../account.js';
import type { RunJournal } from '../kept/run-journal.js';
import { partOfBatch } from './part-of-batch.js';

/** What doubts have to do with. */
export interface DoubtsPort {
  readonly account: Account;
  readonly journal: RunJournal | undefined;
  readonly onUnknown: OnUnknown;
  /** Looks for documents; the same order. */
  readonly lookFor: (doubts: readonly Doubt[]) => Promise<readonly ResolvedDoubt[]>;
  /** Tells a person what takes so long. */
  readonly notice: (message: string) => void;
}

interface HeldDoubt {
  readonly batch: Batch;
  readonly message: string;
  readonly endedMs: number;
}

/** So much memory may be held by doubts before a run looks for them instead of sending more. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Requests whose fate is unknown: kept until they have been looked for, so that what is missing can
 * be sent again, once.
 */
export class Doubts {
  readonly #port: DoubtsPort;
  #held: HeldDoubt[] = [];
  /** What can't be let go of because of them: a document holds all that its chunk became. */
  #retained = new Set<Documents>();
  #bytes = 0;
  #probed = false;
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
    this.#hold({ batch, message, endedMs: systemClock.now() });
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
    const held = this.#letGo();
    if (held.length === 0) return [];
    if (this.#port.onUnknown === 'resend') {
      return held.map(({ batch }) => this.#sendAgain(batch, batch, RESENT));
    }
    const documents = held.reduce((sum, { batch }) => sum + batch.count, 0);
    this.#port.notice(
      `No usable answer came for ${documents} documents: looking for them, which takes a minute or more.`,
    );
    const resolved = await this.#port.lookFor(held.map(doubtOf));
    const again = held.flatMap((doubt, index) => this.#resolveOne(doubt, resolved[index]));
    return again.length === 0 ? this.#probe() : again;
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

  #letGo(): readonly HeldDoubt[] {
    const held = this.#held;
    this.#held = [];
    this.#retained = new Set();
    this.#bytes = 0;
    return held;
  }

  #resolveOne(doubt: HeldDoubt, resolved: ResolvedDoubt | undefined): readonly Batch[] {
    if (resolved === undefined) return [];
    const { batch, message } = doubt;
    const part = (indexes: readonly number[]): Batch => partOfBatch(batch, indexes);
    const { accepted, absent, undecided, twice, needsProof, reason } = resolved;
    if (accepted.length > 0) this.#settleAccepted(batch, part(accepted));
    if (twice.length > 0) this.#port.account.shownTwice(part(twice));
    if (undecided.length > 0) {
      if (needsProof && !this.#probed) this.#keep({ ...doubt, batch: part(undecided) }, batch);
      else this.#settleUnknown(doubt, part(undecided), `${message}; ${reason ?? 'undecided'}`);
    }
    return absent.length === 0 ? [] : [this.#sendAgain(batch, part(absent), lookedFor(resolved))];
  }

  /** Nothing was acknowledged that could prove that reading shows what came later: one may do. */
  #probe(): readonly Batch[] {
    const [doubt, ...others] = this.#letGo();
    if (doubt === undefined) return [];
    this.#probed = true;
    const [first, ...rest] = Array.from({ length: doubt.batch.count }, (_, index) => index);
    if (rest.length > 0) this.#hold({ ...doubt, batch: this.#partOf(doubt.batch, rest) });
    for (const other of others) this.#hold(other);
    return [this.#sendAgain(doubt.batch, this.#partOf(doubt.batch, [first as number]), PROBE)];
  }

  #partOf(batch: Batch, indexes: readonly number[]): Batch {
    const part = partOfBatch(batch, indexes);
    this.#port.journal?.isPartOf(part, batch);
    return part;
  }

  #keep(doubt: HeldDoubt, whole: Batch): void {
    this.#port.journal?.isPartOf(doubt.batch, whole);
    this.#hold(doubt);
  }

  #sendAgain(batch: Batch, part: Batch, why: string): Batch {
    this.#settleJournal(batch, part, 'unsent', why);
    for (const range of recordsOf(part)) this.#again.set(range, true);
    for (const range of part.ranges) this.#port.account.sentAgain(range, why);
    return part;
  }

  #settleAccepted(batch: Batch, part: Batch): void {
    this.#settleJournal(batch, part, 'accepted', '');
    this.#port.account.settled(part, { kind: 'accepted' });
  }

  #settleUnknown(
    { batch }: Pick<HeldDoubt, 'batch' | 'message'>,
    part: Batch,
    message: string,
  ): void {
    this.#settleJournal(batch, part, 'unknown', message);
    this.#port.account.settled(part, { kind: 'unknown', message });
  }

  #settleJournal(batch: Batch, part: Batch, outcome: JournalOutcome, message: string): void {
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

const RESENT = 'no usable answer came, and it was sent again without looking for it';
const PROBE =
  'no usable answer came; it was looked for and not found, and sent again to see whether what is sent shows';

function lookedFor({ lookedAfterMs }: ResolvedDoubt): string {
  const seconds = Math.round((lookedAfterMs ?? 0) / 1000);
  return `no usable answer came; it was looked for ${seconds} s later and not found, so it was sent again: should the first request take effect later still, it is there twice`;
}

function doubtOf({ batch, endedMs }: HeldDoubt): Doubt {
  return {
    ids: batch.ranges.flatMap(sourceIdsOf),
    published: publishedWindow(batch),
    endedMs,
  };
}
