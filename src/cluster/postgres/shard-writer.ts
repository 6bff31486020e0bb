import { JournalError } from '../../model/errors.js';
import { countRecords, type RecordRange, recordsInOrder } from '../../model/record-ranges.js';
import type { Intended, Known, NewIntent, Settlement } from '../../runs/store.js';
import { claimContent, claimId, isSameReview } from './claim-keys.js';
import { bigintArray, uuidArray } from './database/binary-array.js';
import type { Database, SqlParameter } from './database/database.js';
import { isFenced } from './database/failures.js';
import { rangesText, readIntent, type ShardPlace } from './entries.js';
import type { Session } from './session.js';

/** Whose writes they are. */
export interface WritingRun {
  readonly run: number;
  readonly target: number;
  readonly session: Session;
  /** `undefined`: the whole run's, and nothing new is sent. */
  readonly shard: ShardPlace | undefined;
}

/** How long an outcome may wait for an intent to be written with, in milliseconds. */
const OUTCOMES_WAIT_MS = 200;

/** An intent whose documents have not all been settled. */
interface OpenIntent {
  readonly records: readonly RecordRange[];
  /** For each record what its document is claimed by. */
  readonly claims: readonly (string | null)[];
  /** How many of them are not settled. */
  left: number;
}

/** What waits to be written. */
type Waiting =
  | { readonly kind: 'settlement'; readonly number: number; readonly settlement: Settlement }
  | WaitingIntent;

interface WaitingIntent {
  readonly kind: 'intent';
  readonly number: number;
  readonly intent: NewIntent;
  /** The sourceIds as a JSON list. */
  readonly ids: string;
  readonly claims: readonly (string | null)[];
  readonly resolve: (intended: Intended) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes intents with their claims, and outcomes. What comes while a commit is running waits for
 * the next one, all together. Once something can't be written, nothing is from then on.
 */
export class ShardWriter {
  readonly #database: Database;
  readonly #of: WritingRun;
  readonly #open = new Map<number, OpenIntent>();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #later: NodeJS.Timeout | undefined;
  #failure: unknown;

  constructor(database: Database, of: WritingRun) {
    this.#database = database;
    this.#of = of;
  }

  /** @throws JournalError (rejects) also if others have taken over */
  intend(intent: NewIntent): Promise<Intended> {
    return new Promise((resolve, reject) => {
      const number = this.#of.session.numbers.next();
      const ids = listOf(intent.ids);
      const claims = (JSON.parse(ids) as (string | null)[]).map(claimId);
      const { records } = intent;
      this.#open.set(number, { records, claims, left: claims.length });
      this.#waiting.push({ kind: 'intent', number, intent, ids, claims, resolve, reject });
      this.#write();
    });
  }

  settle(settlement: Settlement): void {
    const number = this.#of.session.numbers.next();
    this.#waiting.push({ kind: 'settlement', number, settlement });
    this.#later ??= setTimeout(() => this.#write(), OUTCOMES_WAIT_MS);
  }

  /** Writes what waits. @throws JournalError (rejects) also if that failed before */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#writing !== undefined) {
      this.#write();
      await this.#writing;
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  #write(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.some(({ kind }) => kind === 'intent')) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    // What comes within one turn of the event loop goes together.
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = this.#waiting;
    this.#waiting = [];
    const intents = waiting.filter((one): one is WaitingIntent => one.kind === 'intent');
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const taken = await this.#commit(waiting, intents);
      for (const [index, { number, resolve }] of intents.entries()) {
        resolve({ number, taken: taken[index] as ReadonlyMap<number, Known> });
      }
    } catch (error) {
      this.#failure ??= error;
      for (const { reject } of intents) reject(error);
    }
  }

  async #commit(waiting: readonly Waiting[], intents: readonly WaitingIntent[]) {
    const { run, target, session, shard } = this.#of;
    const settled = await this.#settled(waiting);
    const claimed = claimedBy(intents);
    const values: SqlParameter[] = [
      ...[run, shard?.input ?? null, shard?.part ?? null, session.id, target],
      ...settled,
      intents.map(({ number }) => number),
      intents.map(({ intent }) => rangesText(intent.records)),
      intents.map(({ ids }) => ids),
      intents.map(({ intent }) => Buffer.from(intent.digests)),
      intents.map(({ intent }) => JSON.stringify(intent.published)),
      uuidArray(claimed.map(({ id }) => id)),
      bigintArray(claimed.map(({ content }) => content)),
      bigintArray(claimed.map(({ number }) => number)),
    ];
    const rows = await this.#call(values);
    const taken = intents.map(() => new Map<number, Known>());
    for (const row of rows) {
      const { intent, at, content } = claimed[row.place - 1] as Claimed;
      taken[intent]?.set(at, this.#knownOf(row, content));
    }
    return taken;
  }

  async #call(values: readonly SqlParameter[]): Promise<readonly TakenRow[]> {
    const { session } = this.#of;
    if (!session.isValid) throw session.lost.reason;
    try {
      const goOn = (): boolean => session.isValid;
      const writing = this.#database.rows<TakenRow>(WRITE, values, { goOn });
      // A connection may say nothing for longer than the session lasts.
      return await unlessLost(writing, session.lost);
    } catch (error) {
      if (session.isValid && !isFenced((error as Error).cause ?? error)) throw error;
      session.lose();
      throw session.lost.reason;
    }
  }

  /** What the function takes of outcomes. */
  async #settled(waiting: readonly Waiting[]): Promise<readonly SqlParameter[]> {
    const settlements = waiting.flatMap((one) => (one.kind === 'settlement' ? [one] : []));
    const whole: number[] = [];
    const [accepted, released] = [new ClaimList(), new ClaimList()];
    for (const { settlement } of settlements) {
      const { intent, records, outcome } = settlement;
      // What is unknown stays claimed: it may be there.
      if (outcome === 'unknown') continue;
      const open = this.#open.get(intent) ?? (await this.#read(intent));
      if (outcome === 'accepted' && rangesText(open.records) === rangesText(records)) {
        whole.push(intent);
      } else (outcome === 'accepted' ? accepted : released).add(intent, claimsOf(open, records));
      open.left -= countRecords(records);
      if (open.left <= 0) this.#open.delete(intent);
    }
    return [
      settlements.map(({ number }) => number),
      settlements.map(({ settlement }) => settlement.intent),
      settlements.map(({ settlement }) => settlement.outcome),
      settlements.map(({ settlement }) => rangesText(settlement.records)),
      settlements.map(({ settlement }) => JSON.stringify(settlement.message)),
      whole,
      ...accepted.columns,
      ...released.columns,
    ];
  }

  /** One that an earlier session wrote. */
  async #read(number: number): Promise<OpenIntent> {
    const intent = await readIntent(this.#database, this.#of.run, number);
    if (intent === undefined) throw new JournalError(`The request ${number} is not in the state.`);
    const { records, ids } = intent;
    const open = { records, claims: ids.map(claimId), left: ids.length };
    this.#open.set(number, open);
    return open;
  }

  #knownOf({ run, content: text, accepted }: TakenRow, own: bigint): Known {
    const content = BigInt(text);
    if (run === this.#of.run) return isSameReview(content, own) ? 'repeat' : 'repeat-changed';
    if (!accepted) return 'unconfirmed';
    return content === own ? 'same' : 'changed';
  }
}

function unlessLost<T>(writing: Promise<T>, lost: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const lose = (): void => reject(lost.reason);
    lost.addEventListener('abort', lose);
    writing.then(resolve, reject).finally(() => lost.removeEventListener('abort', lose));
  });
}

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

/** A document that is to be claimed. */
interface Claimed {
  readonly id: string;
  readonly content: bigint;
  /** Its request's number; which of the requests that is; and which of its documents. */
  readonly number: number;
  readonly intent: number;
  readonly at: number;
}

function claimedBy(intents: readonly WaitingIntent[]): readonly Claimed[] {
  const claimed: Claimed[] = [];
  for (const [intent, { number, claims, intent: made }] of intents.entries()) {
    const reviews = made.reviews?.();
    for (const [at, id] of claims.entries()) {
      if (id === null) continue;
      const content = claimContent(made.digests, at, reviews?.[at] ?? 0);
      claimed.push({ id, content, number, intent, at });
    }
  }
  return claimed;
}

/** Claims with the intents that they belong to. */
class ClaimList {
  readonly columns: readonly [string[], number[]] = [[], []];

  add(intent: number, claims: readonly (string | null)[]): void {
    for (const id of claims) {
      if (id === null) continue;
      this.columns[0].push(id);
      this.columns[1].push(intent);
    }
  }
}

function claimsOf(open: OpenIntent, records: readonly RecordRange[]): readonly (string | null)[] {
  const wanted = new Set([...recordsInOrder(records)].map(keyOf));
  return [...recordsInOrder(open.records)].flatMap((one) =>
    wanted.has(keyOf(one)) ? [open.claims[one.index] ?? null] : [],
  );
}

function keyOf({ input, record }: { readonly input: number; readonly record: number }): string {
  return `${input}:${record}`;
}

/** A JSON list, of pieces of it. */
function listOf(pieces: readonly Uint8Array[]): string {
  return `[${pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString()).join(',')}]`;
}
