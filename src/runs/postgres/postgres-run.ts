import { type Batch, hashesOf, publishedWindow, sourceIdsOf } from '../../model/documents.js';
import { JournalError, ResumeError } from '../../model/errors.js';
import {
  type RecordRange,
  type RecordState,
  type RecordStates,
  recordsInOrder,
  recordsOf,
} from '../../model/record-ranges.js';
import type { WrittenFile } from '../../model/source.js';
import type { RunDescription } from '../description.js';
import type {
  Intent,
  IntentResult,
  JournaledOutcome,
  LedgerStatus,
  RunFacts,
  RunJournal,
} from '../store.js';
import { claimContents, claimId, isSameReview, TAKE_OVER } from './claims.js';
import type { Database } from './database/database.js';
import { isFenced } from './database/failures.js';
import { rangesText, readIntent, readStates } from './entries.js';
import type { Session } from './session.js';

/** A run and this process's access to it. */
export interface RunScope {
  readonly id: string;
  readonly run: number;
  readonly target: number;
  /** Omitted for reading only. */
  readonly session?: Session;
  readonly onRelease?: () => Promise<void>;
}

/** Maximum time that an outcome waits to be written together with an intent, in milliseconds. */
const OUTCOME_DELAY_MS = 200;

/** Claims of the documents of one request. */
interface ClaimedIntent {
  readonly records: readonly RecordRange[];
  /** One for each record; `null` without a sourceId. */
  readonly claims: readonly (string | null)[];
}

interface PendingIntent extends ClaimedIntent {
  readonly number: number;
  readonly batch: Batch;
  readonly ids: readonly (string | null)[];
  readonly resolve: (result: IntentResult) => void;
  readonly reject: (error: unknown) => void;
}

interface PendingOutcome extends JournaledOutcome {
  readonly number: number;
}

/**
 * A run stored in Postgres. Intents are written with their claims. Whatever
 * arrives while a commit is running goes into the next one. After a write has failed, nothing more
 * is written.
 */
export class PostgresRun implements RunJournal {
  readonly id: string;
  readonly #database: Database;
  readonly #scope: RunScope;
  readonly #claimed = new Map<number, ClaimedIntent>();
  #intents: PendingIntent[] = [];
  #outcomes: PendingOutcome[] = [];
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: unknown;

  constructor(database: Database, scope: RunScope) {
    this.id = scope.id;
    this.#database = database;
    this.#scope = scope;
  }

  /** Checked before each request: a process that was suspended resumes where it was. */
  get isLost(): boolean {
    return this.#scope.session?.isValid === false;
  }

  async facts(): Promise<RunFacts> {
    const rows = await this.#database.rows<{ name: keyof RunFacts; value: string }>(FACTS, [
      this.#scope.run,
    ]);
    const facts = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]));
    if (!('description' in facts)) throw this.#prunedError();
    return facts as RunFacts;
  }

  async description(): Promise<RunDescription> {
    const [row] = await this.#database.rows<{ value: string }>(DESCRIPTION, [this.#scope.run]);
    if (row === undefined) throw this.#prunedError();
    return JSON.parse(row.value) as RunDescription;
  }

  #prunedError(): ResumeError {
    return new ResumeError(
      `The run ${this.id} was pruned meanwhile. Start the import again: what it sent is recognised.`,
    );
  }

  async writeReport(report: RunFacts['report']): Promise<void> {
    if (report !== undefined) return await this.#writeFact('report', report);
    await this.#scope.session?.assertNotFenced();
    await this.#database.rows(DELETE_REPORT, [this.#scope.run]);
  }

  async writeRejects(files: readonly WrittenFile[]): Promise<void> {
    await this.#writeFact('rejects', files);
  }

  async #writeFact(name: keyof RunFacts, value: unknown): Promise<void> {
    // Its successor writes these facts, too.
    await this.#scope.session?.assertNotFenced();
    await this.#database.rows(WRITE_FACT, [this.#scope.run, name, JSON.stringify(value)]);
  }

  /** @throws JournalError (rejects) also if others have taken over */
  writeIntent(batch: Batch): Promise<IntentResult> {
    return new Promise((resolve, reject) => {
      const number = this.#session.nextNumber();
      const ids = batch.ranges.flatMap(sourceIdsOf);
      const claimed = { records: recordsOf(batch), claims: ids.map(claimId) };
      this.#claimed.set(number, claimed);
      this.#intents.push({ number, batch, ids, ...claimed, resolve, reject });
      this.#write();
    });
  }

  settle(outcome: JournaledOutcome): void {
    this.#outcomes.push({ ...outcome, number: this.#session.nextNumber() });
    this.#timer ??= setTimeout(() => this.#write(), OUTCOME_DELAY_MS);
  }

  async flush(): Promise<void> {
    while (this.#hasPending || this.#writing !== undefined) {
      this.#write();
      await this.#writing;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async states(): Promise<RecordStates<RecordState>> {
    await this.flush();
    return await readStates(this.#database, this.#scope.run);
  }

  async readIntent(number: number): Promise<Intent | undefined> {
    return await readIntent(this.#database, this.#scope.run, number);
  }

  async release(): Promise<void> {
    // Failures were reported to those who waited for a write.
    await this.flush().catch(() => {});
    await this.#scope.onRelease?.();
  }

  get #session(): Session {
    const { session } = this.#scope;
    if (session === undefined) throw new Error('A run opened for reading only is not written to.');
    return session;
  }

  get #hasPending(): boolean {
    return this.#intents.length + this.#outcomes.length > 0;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing !== undefined || !this.#hasPending) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#intents.length > 0) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    // Collects everything from one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const [intents, outcomes] = [this.#intents, this.#outcomes];
    [this.#intents, this.#outcomes] = [[], []];
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const elsewhere = await this.#commit(intents, outcomes);
      for (const { number, resolve } of intents) {
        resolve({ number, elsewhere: elsewhere.get(number) ?? new Map() });
      }
    } catch (error) {
      this.#failure ??= error;
      for (const { reject } of intents) reject(error);
    }
  }

  /**
   * Commits intents and outcomes. Returns for each intent the documents that are already claimed.
   */
  async #commit(
    intents: readonly PendingIntent[],
    outcomes: readonly PendingOutcome[],
  ): Promise<ReadonlyMap<number, Map<number, LedgerStatus>>> {
    const claims = intents.flatMap(claimsIn);
    const written: Written = {
      ...(await this.#writtenOutcomes(outcomes)),
      intents: intents.map(writtenIntent),
      claims: claims.map(writtenClaim),
    };
    const rows = await this.#callWrite(written, intents.filter(isTakenOver).flatMap(claimsIn));
    const elsewhere = new Map(
      intents.map(({ number }) => [number, new Map<number, LedgerStatus>()]),
    );
    for (const row of rows) {
      const { number, at, content } = claims[row.place - 1] as Claim;
      elsewhere.get(number)?.set(at, statusOf(row, content));
    }
    return elsewhere;
  }

  /** @param abandoned claims to take over from runs that have ended */
  async #callWrite(written: Written, abandoned: readonly Claim[]): Promise<readonly ConflictRow[]> {
    const session = this.#session;
    const { run, target } = this.#scope;
    const values = [run, session.id, target, JSON.stringify(written)];
    if (!session.isValid) throw session.lost.reason;
    try {
      const retry = (): boolean => session.isValid;
      const writing =
        abandoned.length === 0
          ? this.#database.rows<ConflictRow>(WRITE, values, retry)
          : this.#database.transaction(async (transaction) => {
              await transaction.rows(TAKE_OVER, [
                ...[target, run, abandoned.map(({ id }) => id)],
                abandoned.map(({ content }) => content),
                abandoned.map(({ number }) => number),
                abandoned.map(({ sentOther }) => sentOther),
              ]);
              return await transaction.rows<ConflictRow>(WRITE, values);
            }, retry);
      // A query may hang for longer than the session lasts.
      return await rejectWhenLost(writing, session.lost);
    } catch (error) {
      if (session.isValid && !isFenced((error as Error).cause ?? error)) throw error;
      session.lose();
      throw session.lost.reason;
    }
  }

  /** Unknown documents stay claimed, as the service may have them. */
  async #writtenOutcomes(
    outcomes: readonly PendingOutcome[],
  ): Promise<Omit<Written, 'intents' | 'claims'>> {
    const accepted: number[] = [];
    const [kept, released]: [HeldClaim[], HeldClaim[]] = [[], []];
    for (const { intent, records, outcome } of outcomes) {
      if (outcome === 'unknown') continue;
      const claimed = this.#claimed.get(intent) ?? (await this.#readClaimed(intent));
      const isWhole = rangesText(claimed.records) === rangesText(records);
      if (isWhole) this.#claimed.delete(intent);
      if (isWhole && outcome === 'accepted') accepted.push(intent);
      else
        (outcome === 'accepted' ? kept : released).push(
          ...claimsOfRecords(intent, claimed, records),
        );
    }
    return { outcomes: outcomes.map(writtenOutcome), accepted, kept, released };
  }

  async #readClaimed(number: number): Promise<ClaimedIntent> {
    const intent = await this.readIntent(number);
    if (intent === undefined) throw new JournalError(`The request ${number} is not in the state.`);
    const { records, ids } = intent;
    const claimed = { records, claims: ids.map(claimId) };
    this.#claimed.set(number, claimed);
    return claimed;
  }
}

/** The figures of a shard belong to its report. */
const DELETE_REPORT = "DELETE FROM docferry.facts WHERE run = $1 AND name IN ('report', 'figures')";

export const WRITE_FACT = `INSERT INTO docferry.facts (run, name, value) VALUES ($1, $2, $3)
  ON CONFLICT (run, name) DO UPDATE SET value = excluded.value`;

/** Facts of a run; a shard has the description of its group. */
const FACTS = `SELECT name, value FROM docferry.facts WHERE run = $1 AND name IN ('description', 'report', 'rejects')
  UNION ALL SELECT 'description', g.description FROM docferry.runs AS r
  JOIN docferry.groups AS g USING (group_number) WHERE r.run = $1`;

const DESCRIPTION = `SELECT value FROM (${FACTS}) AS facts WHERE name = 'description'`;

const WRITE = `SELECT place, content::text AS content, related, accepted
  FROM docferry.write($1::integer, $2::integer, $3::integer, $4::json)`;

/** What is written in one step; see `sql/2-write.sql`. */
interface Written {
  readonly outcomes: readonly ReturnType<typeof writtenOutcome>[];
  readonly accepted: readonly number[];
  readonly kept: readonly HeldClaim[];
  readonly released: readonly HeldClaim[];
  readonly intents: readonly ReturnType<typeof writtenIntent>[];
  readonly claims: readonly ReturnType<typeof writtenClaim>[];
}

function writtenOutcome({ number, intent, outcome, records, message }: PendingOutcome) {
  const texts = { records: rangesText(records), message: JSON.stringify(message) };
  return { number, intent, kind: outcome, ...texts };
}

function writtenIntent({ number, records, ids, batch }: PendingIntent) {
  return {
    number,
    records: rangesText(records),
    ids: JSON.stringify(ids),
    digests: `\\x${digestsOf(batch).toString('hex')}`,
    published: JSON.stringify(publishedWindow(batch)),
  };
}

function writtenClaim({ id, content, number }: Claim) {
  return { id, content: String(content), intent: number };
}

interface ConflictRow {
  /** Index among the claims, from 1. */
  readonly place: number;
  readonly content: string;
  /** Whether the claim is of this run or of another shard of its group. */
  readonly related: boolean;
  readonly accepted: boolean;
}

function statusOf({ related, content: text, accepted }: ConflictRow, own: bigint): LedgerStatus {
  const content = BigInt(text);
  if (related) return isSameReview(content, own) ? 'repeat' : 'repeat-changed';
  if (!accepted) return 'unconfirmed';
  return content === own ? 'same' : 'changed';
}

function rejectWhenLost<T>(writing: Promise<T>, lost: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const lose = (): void => reject(lost.reason);
    lost.addEventListener('abort', lose);
    writing.then(resolve, reject).finally(() => lost.removeEventListener('abort', lose));
  });
}

interface Claim {
  readonly id: string;
  readonly content: bigint;
  /** Number of its intent. */
  readonly number: number;
  /** Index in its request. */
  readonly at: number;
  readonly sentOther: boolean;
}

/** Hashes of what was sent; none for other content, which the claims keep. */
function digestsOf({ ranges, sentOther }: Batch): Buffer {
  return Buffer.concat(sentOther ? [] : ranges.map((one) => hashesOf(one).digests));
}

/** Returns whether its documents were sent by a run that has ended, and are reconciled by this one. */
function isTakenOver({ batch }: PendingIntent): boolean {
  return batch.unconfirmed !== undefined;
}

function claimsIn({ number, claims, batch }: PendingIntent): Claim[] {
  const contents = batch.ranges.flatMap(claimContents);
  const sentOther = batch.sentOther === true;
  return claims.flatMap((id, at) =>
    id === null ? [] : [{ id, content: contents[at] as bigint, number, at, sentOther }],
  );
}

interface HeldClaim {
  readonly id: string;
  readonly intent: number;
}

/** Claims that belong to some of an intent's records. */
function claimsOfRecords(
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
