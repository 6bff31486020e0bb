import { type Batch, hashesOf, publishedWindow, sourceIdsOf } from '../../model/documents.js';
import { JournalError } from '../../model/errors.js';
import {
  type RecordRange,
  type RecordState,
  type RecordStates,
  recordsInOrder,
  recordsOf,
} from '../../model/record-ranges.js';
import type {
  Intended,
  Intent,
  LedgerStatus,
  RunFacts,
  Settlement,
  StoredRun,
} from '../../runs/store.js';
import { claimContents, claimId, isSameReview, TAKE_OVER } from './claims.js';
import type { Database, SqlParameter } from './database/database.js';
import { isFenced } from './database/failures.js';
import { rangesText, readIntent, readStates, type ShardPlace } from './entries.js';
import type { Session } from './session.js';

/** Which run it is, and what this process may do with it. */
export interface OpenedRun {
  readonly id: string;
  readonly run: number;
  readonly target: number;
  /** `undefined`: it is only looked at. */
  readonly session?: Session;
  /** Only what concerns one of its shards; otherwise all of it. */
  readonly shard?: ShardPlace | undefined;
  readonly onRelease?: () => Promise<void>;
}

/** How long an outcome may wait for an intent to be written with, in milliseconds. */
const OUTCOMES_WAIT_MS = 200;

/** What the documents of a request are claimed by. */
interface ClaimedIntent {
  readonly records: readonly RecordRange[];
  /** For each record. */
  readonly claims: readonly (string | null)[];
}

interface WaitingIntent extends ClaimedIntent {
  readonly number: number;
  readonly batch: Batch;
  readonly ids: readonly (string | null)[];
  readonly resolve: (intended: Intended) => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingSettlement {
  readonly number: number;
  readonly settlement: Settlement;
}

/**
 * A run that is kept in Postgres, or one of its shards. Intents are written with their claims. What
 * comes while a commit is running waits for the next one, all together. Once something can't be
 * written, nothing is from then on.
 */
export class PostgresRun implements StoredRun {
  readonly id: string;
  readonly #database: Database;
  readonly #of: OpenedRun;
  readonly #claimed = new Map<number, ClaimedIntent>();
  #intents: WaitingIntent[] = [];
  #settlements: WaitingSettlement[] = [];
  #writing: Promise<void> | undefined;
  #later: NodeJS.Timeout | undefined;
  #failure: unknown;
  #outputs: Promise<void> = Promise.resolve();

  constructor(database: Database, of: OpenedRun) {
    this.id = of.id;
    this.#database = database;
    this.#of = of;
  }

  /** Asked before each request, as a process that stood still continues with what it was about to do. */
  get isLost(): boolean {
    return this.#of.session?.isValid === false;
  }

  async read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined> {
    // A shard tells what came of it in another way.
    if (name === 'report' && this.#of.shard !== undefined) return undefined;
    const [row] = await this.#database.rows<{ value: string }>(
      'SELECT value FROM docferry.facts WHERE run = $1 AND name = $2',
      [this.#of.run, name],
    );
    return row && (JSON.parse(row.value) as RunFacts[Name]);
  }

  async write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void> {
    await this.#database.rows(WRITE_FACT, [this.#of.run, name, JSON.stringify(value)]);
  }

  writeOutputs(outputs: RunFacts['outputs']): void {
    // One after the other, so that the last one stays. Whoever flushes is told of a failure.
    this.#outputs = this.#outputs.then(() => this.write('outputs', outputs));
    this.#outputs.catch(() => {});
  }

  async reopen(): Promise<void> {
    const report = "DELETE FROM docferry.facts WHERE run = $1 AND name = 'report'";
    await this.#database.rows(report, [this.#of.run]);
  }

  /** @throws JournalError (rejects) also if others have taken over */
  intend(batch: Batch): Promise<Intended> {
    return new Promise((resolve, reject) => {
      const number = this.#session.nextNumber();
      const ids = batch.ranges.flatMap(sourceIdsOf);
      const claimed = { records: recordsOf(batch), claims: ids.map(claimId) };
      this.#claimed.set(number, claimed);
      this.#intents.push({ number, batch, ids, ...claimed, resolve, reject });
      this.#write();
    });
  }

  settle(settlement: Settlement): void {
    this.#settlements.push({ number: this.#session.nextNumber(), settlement });
    this.#later ??= setTimeout(() => this.#write(), OUTCOMES_WAIT_MS);
  }

  async flush(): Promise<void> {
    while (this.#isWaiting || this.#writing !== undefined) {
      this.#write();
      await this.#writing;
    }
    if (this.#failure !== undefined) throw this.#failure;
    await this.#outputs;
  }

  async states(): Promise<RecordStates<RecordState>> {
    await this.flush();
    return await readStates(this.#database, this.#of.run, this.#of.shard);
  }

  async intent(number: number): Promise<Intent | undefined> {
    return await readIntent(this.#database, this.#of.run, number);
  }

  async release(): Promise<void> {
    // Whoever needed to know of a failure was told.
    await this.flush().catch(() => {});
    await this.#of.onRelease?.();
  }

  get #session(): Session {
    const { session } = this.#of;
    if (session === undefined) throw new Error('A run that is looked at is not written to.');
    return session;
  }

  get #isWaiting(): boolean {
    return this.#intents.length + this.#settlements.length > 0;
  }

  #write(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#writing !== undefined || !this.#isWaiting) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#intents.length > 0) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    // What comes within one turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    const [intents, settlements] = [this.#intents, this.#settlements];
    [this.#intents, this.#settlements] = [[], []];
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const taken = await this.#commit(intents, settlements);
      for (const { number, resolve } of intents) {
        resolve({ number, taken: taken.get(number) ?? new Map() });
      }
    } catch (error) {
      this.#failure ??= error;
      for (const { reject } of intents) reject(error);
    }
  }

  /** Gives for each intent what somebody has of it. */
  async #commit(
    intents: readonly WaitingIntent[],
    settlements: readonly WaitingSettlement[],
  ): Promise<ReadonlyMap<number, Map<number, LedgerStatus>>> {
    const { run, target, shard } = this.#of;
    const claims = intents.flatMap(claimsIn);
    const values = [
      ...[run, shard?.input ?? null, shard?.part ?? null, this.#session.id, target],
      ...(await this.#settled(settlements)),
      intents.map(({ number }) => number),
      intents.map(({ records }) => rangesText(records)),
      intents.map(({ ids }) => JSON.stringify(ids)),
      intents.map(({ batch }) => Buffer.concat(batch.ranges.map((one) => hashesOf(one).digests))),
      intents.map(({ batch }) => JSON.stringify(publishedWindow(batch))),
      claims.map(({ id }) => id),
      claims.map(({ content }) => content),
      claims.map(({ number }) => number),
    ];
    const rows = await this.#call(values, intents.filter(isTakenOver).flatMap(claimsIn));
    const taken = new Map(intents.map(({ number }) => [number, new Map<number, LedgerStatus>()]));
    for (const row of rows) {
      const { number, at, content } = claims[row.place - 1] as Claim;
      taken.get(number)?.set(at, this.#knownOf(row, content));
    }
    return taken;
  }

  /** @param left claims to be taken over from runs that have ended */
  async #call(
    values: readonly SqlParameter[],
    left: readonly Claim[],
  ): Promise<readonly TakenRow[]> {
    const session = this.#session;
    if (!session.isValid) throw session.lost.reason;
    try {
      const patience = (): boolean => session.isValid;
      const writing =
        left.length === 0
          ? this.#database.rows<TakenRow>(WRITE, values, patience)
          : this.#database.transaction(async (transaction) => {
              await transaction.rows(TAKE_OVER, this.#takeOver(left));
              return await transaction.rows<TakenRow>(WRITE, values);
            }, patience);
      // A connection may say nothing for longer than the session lasts.
      return await unlessLost(writing, session.lost);
    } catch (error) {
      if (session.isValid && !isFenced((error as Error).cause ?? error)) throw error;
      session.lose();
      throw session.lost.reason;
    }
  }

  #takeOver(left: readonly Claim[]): readonly SqlParameter[] {
    return [
      ...[this.#of.target, this.#of.run, left.map(({ id }) => id)],
      ...[left.map(({ content }) => content), left.map(({ number }) => number)],
    ];
  }

  /** What the function takes of outcomes. What is unknown stays claimed: it may be there. */
  async #settled(settlements: readonly WaitingSettlement[]): Promise<readonly SqlParameter[]> {
    const whole: number[] = [];
    const [accepted, released]: [HeldClaim[], HeldClaim[]] = [[], []];
    for (const { intent, records, outcome } of settlements.map(({ settlement }) => settlement)) {
      if (outcome === 'unknown') continue;
      const claimed = this.#claimed.get(intent) ?? (await this.#readClaimed(intent));
      const isWhole = rangesText(claimed.records) === rangesText(records);
      if (isWhole) this.#claimed.delete(intent);
      if (isWhole && outcome === 'accepted') whole.push(intent);
      else (outcome === 'accepted' ? accepted : released).push(...heldOf(intent, claimed, records));
    }
    return [
      settlements.map(({ number }) => number),
      settlements.map(({ settlement }) => settlement.intent),
      settlements.map(({ settlement }) => settlement.outcome),
      settlements.map(({ settlement }) => rangesText(settlement.records)),
      settlements.map(({ settlement }) => JSON.stringify(settlement.message)),
      whole,
      ...[accepted, released].flatMap((held) => [
        held.map(({ id }) => id),
        held.map(({ intent }) => intent),
      ]),
    ];
  }

  /** Of an intent that an earlier session wrote. */
  async #readClaimed(number: number): Promise<ClaimedIntent> {
    const intent = await this.intent(number);
    if (intent === undefined) throw new JournalError(`The request ${number} is not in the state.`);
    const { records, ids } = intent;
    const claimed = { records, claims: ids.map(claimId) };
    this.#claimed.set(number, claimed);
    return claimed;
  }

  #knownOf({ run, content: text, accepted }: TakenRow, own: bigint): LedgerStatus {
    const content = BigInt(text);
    if (run === this.#of.run) return isSameReview(content, own) ? 'repeat' : 'repeat-changed';
    if (!accepted) return 'unconfirmed';
    return content === own ? 'same' : 'changed';
  }
}

/** Says something of a run, whatever was said before. */
export const WRITE_FACT = `INSERT INTO docferry.facts (run, name, value) VALUES ($1, $2, $3)
  ON CONFLICT (run, name) DO UPDATE SET value = excluded.value`;

const WRITE = `SELECT place, content::text AS content, run, accepted FROM docferry.write(
  $1::integer, $2::integer, $3::integer, $4::integer, $5::integer,
  $6::bigint[], $7::bigint[], $8::text[], $9::text[], $10::text[],
  $11::bigint[], $12::uuid[], $13::bigint[], $14::uuid[], $15::bigint[],
  $16::bigint[], $17::text[], $18::text[], $19::bytea[], $20::text[],
  $21::uuid[], $22::bigint[], $23::bigint[])`;

interface TakenRow {
  /** Its place among the claims, from 1. */
  readonly place: number;
  readonly content: string;
  readonly run: number;
  readonly accepted: boolean;
}

function unlessLost<T>(writing: Promise<T>, lost: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const lose = (): void => reject(lost.reason);
    lost.addEventListener('abort', lose);
    writing.then(resolve, reject).finally(() => lost.removeEventListener('abort', lose));
  });
}

/** A document that is to be claimed. */
interface Claim {
  readonly id: string;
  readonly content: bigint;
  /** Of its request. */
  readonly number: number;
  /** Which of the request's documents it is. */
  readonly at: number;
}

/** Whether its documents were sent by a run that has ended: this one finds out what became of them. */
function isTakenOver({ batch }: WaitingIntent): boolean {
  return batch.unconfirmed !== undefined;
}

function claimsIn({ number, claims, batch }: WaitingIntent): Claim[] {
  const contents = batch.ranges.flatMap(claimContents);
  return claims.flatMap((id, at) =>
    id === null ? [] : [{ id, content: contents[at] as bigint, number, at }],
  );
}

/** A document's claim, which its request holds. */
interface HeldClaim {
  readonly id: string;
  readonly intent: number;
}

/** Those of some of an intent's records. */
function heldOf(
  intent: number,
  { records, claims }: ClaimedIntent,
  wanted: readonly RecordRange[],
): HeldClaim[] {
  const keyOf = ({ input, record }: { input: number; record: number }): string =>
    `${input}:${record}`;
  const keys = new Set([...recordsInOrder(wanted)].map(keyOf));
  return [...recordsInOrder(records)].flatMap((one) => {
    const id = keys.has(keyOf(one)) ? (claims[one.index] ?? null) : null;
    return id === null ? [] : [{ id, intent }];
  });
}
