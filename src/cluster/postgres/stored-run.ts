import type { RecordState, RecordStates } from '../../model/record-ranges.js';
import type {
  Intended,
  Intent,
  NewIntent,
  RunFacts,
  Settlement,
  StoredRun,
} from '../../runs/store.js';
import type { Database } from './database/database.js';
import { readIntent, readStates, type ShardPlace } from './entries.js';
import type { Session } from './session.js';
import { ShardWriter } from './shard-writer.js';

/** Which run it is, and what this process may do with it. */
export interface OpenedRun {
  readonly id: string;
  readonly run: number;
  readonly target: number;
  /** `undefined`: it is only looked at. */
  readonly session?: Session;
  /** Only what concerns one of its shards; otherwise all of it. */
  readonly shard?: ShardPlace;
  readonly onRelease?: () => Promise<void>;
}

/** A run that is kept in Postgres, or one of its shards. */
export class PostgresRun implements StoredRun {
  readonly id: string;
  readonly #database: Database;
  readonly #opened: OpenedRun;
  readonly #writer: ShardWriter | undefined;
  #outputs: Promise<void> = Promise.resolve();

  constructor(database: Database, opened: OpenedRun) {
    this.id = opened.id;
    this.#database = database;
    this.#opened = opened;
    const { run, target, session, shard } = opened;
    if (session !== undefined) {
      this.#writer = new ShardWriter(database, { run, target, session, shard });
    }
  }

  async read<Name extends keyof RunFacts>(name: Name): Promise<RunFacts[Name] | undefined> {
    // A shard tells what came of it in another way.
    if (name === 'report' && this.#opened.shard !== undefined) return undefined;
    const [row] = await this.#database.rows<{ value: string }>(
      'SELECT value FROM docferry.facts WHERE run = $1 AND name = $2',
      [this.#opened.run, name],
    );
    return row === undefined ? undefined : (JSON.parse(row.value) as RunFacts[Name]);
  }

  async write<Name extends keyof RunFacts>(name: Name, value: RunFacts[Name]): Promise<void> {
    await this.#database.rows(
      `INSERT INTO docferry.facts (run, name, value) VALUES ($1, $2, $3)
       ON CONFLICT (run, name) DO UPDATE SET value = excluded.value`,
      [this.#opened.run, name, JSON.stringify(value)],
    );
  }

  writeOutputs(outputs: RunFacts['outputs']): void {
    // One after the other, so that the last one stays. Whoever flushes is told of a failure.
    this.#outputs = this.#outputs.then(() => this.write('outputs', outputs));
    this.#outputs.catch(() => {});
  }

  async reopen(): Promise<void> {
    await this.#database.rows("DELETE FROM docferry.facts WHERE run = $1 AND name = 'report'", [
      this.#opened.run,
    ]);
  }

  async intend(intent: NewIntent): Promise<Intended> {
    return await this.#writing.intend(intent);
  }

  settle(settlement: Settlement): void {
    this.#writing.settle(settlement);
  }

  async flush(): Promise<void> {
    await this.#writer?.flush();
    await this.#outputs;
  }

  async states(): Promise<RecordStates<RecordState>> {
    await this.flush();
    return await readStates(this.#database, this.#opened.run, this.#opened.shard);
  }

  async intent(number: number): Promise<Intent | undefined> {
    return await readIntent(this.#database, this.#opened.run, number);
  }

  async release(): Promise<void> {
    try {
      await this.flush();
    } catch {
      // Whoever needed to know was told.
    }
    await this.#opened.onRelease?.();
  }

  get #writing(): ShardWriter {
    if (this.#writer === undefined) throw new Error('A run that is looked at is not written to.');
    return this.#writer;
  }
}
