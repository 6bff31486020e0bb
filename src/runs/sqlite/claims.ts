import { JournalError } from '../../model/errors.js';
import type { SentOutcome } from '../../model/record-ranges.js';
import type { RunTarget } from '../description.js';
import type { Hashes, Known } from '../store.js';
import { asInteger, type DatabaseForm, DurableDatabase } from './database.js';

const FORM: DatabaseForm = {
  script: `
CREATE TABLE IF NOT EXISTS targets (
  target INTEGER PRIMARY KEY,
  service TEXT NOT NULL,
  monitoring INTEGER NOT NULL,
  joined INTEGER NOT NULL,
  UNIQUE (service, monitoring)
);
CREATE TABLE IF NOT EXISTS senders (
  run TEXT PRIMARY KEY,
  target INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (
  target INTEGER NOT NULL,
  id BLOB NOT NULL,
  content BLOB NOT NULL,
  run TEXT NOT NULL,
  accepted INTEGER NOT NULL,
  PRIMARY KEY (target, id)
) WITHOUT ROWID;`,
  // "dfc", and the version.
  applicationId: 0x64_66_63_01,
  cacheKiB: 8 * 1024,
  isFleeting: true,
};

/** What another run has claimed, by the document's index. */
export type Taken = ReadonlyMap<number, Known>;

const NOTHING: Taken = new Map();

/**
 * Which document belongs to which run, among runs that send to one monitoring at the same time. A
 * run that begins reads what the others have intended until then in their journals; so a run
 * claims only what it intends once another one has joined it, and one that is alone writes nothing
 * here. Neither can miss the other: a run asks who has joined after its intent is in its journal, and
 * one that joins reads the journals after it has joined.
 *
 * Nothing here need outlive a loss of power, as that ends all runs, and then their journals say it.
 */
export class Claims {
  readonly #database: DurableDatabase;
  readonly #run: string;
  readonly #target: number;
  /** How many had joined when this one did; `undefined`: it claims everything. */
  readonly #aloneUntil: number | undefined;

  /**
   * Joins those who send to a target.
   * @param isRunning whether a process has a run
   * @throws JournalError
   */
  constructor(
    file: string,
    { run, target }: { readonly run: string; readonly target: RunTarget },
    isRunning: (run: string) => boolean,
  ) {
    this.#database = new DurableDatabase(file, FORM);
    this.#run = run;
    try {
      [this.#target, this.#aloneUntil] = this.#database.write(() => this.#join(target, isRunning));
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /**
   * Claims documents whose intent is in the journal.
   * @returns those that aren't to be sent, as another run has them
   * @throws JournalError
   */
  claim({ idHashes, digests }: Hashes): Taken {
    if (this.#isAlone()) return NOTHING;
    const values = [this.#target, idHashes, digests, this.#run, idHashes.byteLength / ID_BYTES];
    const rows = this.#database.write(() => {
      this.#database.run(CLAIM, values);
      return this.#database.all<ClaimRow>(OTHERS, values);
    });
    return takenIn(rows);
  }

  /** What other runs have claimed of these documents. */
  look({ idHashes, digests }: Hashes): Taken {
    if (this.#isAlone()) return NOTHING;
    const values = [this.#target, idHashes, digests, this.#run, idHashes.byteLength / ID_BYTES];
    return takenIn(this.#database.all(OTHERS, values));
  }

  /** Says what became of documents that were claimed. */
  settle(idHashes: Uint8Array, outcome: SentOutcome): void {
    // What is unknown stays claimed: it may be there.
    if (outcome === 'unknown' || this.#isAlone()) return;
    const values = [this.#target, idHashes, this.#run, idHashes.byteLength / ID_BYTES];
    this.#database.write(() => {
      this.#database.run(outcome === 'accepted' ? ACCEPT : RELEASE, values);
    });
  }

  /**
   * Claims stay for those who are still there. Where that can't be written, whoever joins next finds
   * that the run is over: the run itself must not end without a report for it.
   */
  leave(): void {
    try {
      this.#database.write(() => {
        this.#database.run('DELETE FROM senders WHERE run = ?', [this.#run]);
        this.#clearIfLast();
      });
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
    } finally {
      this.#database.close();
    }
  }

  #join(
    { service, monitoring }: RunTarget,
    isRunning: (run: string) => boolean,
  ): readonly [number, number | undefined] {
    const senders = this.#database.all<{ run: ArrayBuffer }>(
      'SELECT CAST(run AS BLOB) AS run FROM senders',
    );
    for (const sender of senders) {
      const run = Buffer.from(sender.run).toString();
      if (run !== this.#run && isRunning(run)) continue;
      this.#database.run('DELETE FROM senders WHERE run = ?', [run]);
    }
    this.#clearIfLast();
    this.#database.run(
      `INSERT INTO targets (service, monitoring, joined) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET joined = joined + 1`,
      [service, monitoring],
    );
    const [row] = this.#database.all<{ target: number; joined: number; others: number }>(
      `SELECT ${asInteger('target')}, ${asInteger('joined')},
       (SELECT count(*) FROM senders AS s WHERE s.target = t.target) AS others
       FROM targets AS t WHERE service = ? AND monitoring = ?`,
      [service, monitoring],
    );
    const { target, joined, others } = row as { target: number; joined: number; others: number };
    this.#database.run('INSERT INTO senders (run, target) VALUES (?, ?)', [this.#run, target]);
    return [target, others === 0 ? joined : undefined];
  }

  /** Whether nobody has joined, until now, since this one did. */
  #isAlone(): boolean {
    if (this.#aloneUntil === undefined) return false;
    const sql = `SELECT ${asInteger('joined')} FROM targets WHERE target = ?`;
    return (
      this.#database.all<{ joined: number }>(sql, [this.#target])[0]?.joined === this.#aloneUntil
    );
  }

  #clearIfLast(): void {
    this.#database.run('DELETE FROM claims WHERE NOT EXISTS (SELECT 1 FROM senders)');
  }
}

const ID_BYTES = 8;

/** Each index below ?N. Blobs are taken apart by the database, as for the ledger. */
const indexes = (count: string): string =>
  `(WITH RECURSIVE up(at) AS (SELECT 0 UNION ALL SELECT at + 1 FROM up WHERE at + 1 < ${count}) SELECT at FROM up)`;

/** A document without a sourceId, whose hash is 0, is nobody's. */
const CLAIM = `INSERT OR IGNORE INTO claims (target, id, content, run, accepted)
  SELECT ?1, substr(?2, at * 8 + 1, 8) AS id, substr(?3, at * 8 + 1, 8), ?4, 0
  FROM ${indexes('?5')} WHERE id <> zeroblob(8)`;
const OTHERS = `SELECT at, content = substr(?3, at * 8 + 1, 8) AS same, ${asInteger('accepted')}
  FROM ${indexes('?5')} CROSS JOIN claims
  ON target = ?1 AND id = substr(?2, at * 8 + 1, 8) AND run <> ?4`;
const OWN = `target = ?1 AND run = ?3
  AND id IN (SELECT substr(?2, at * 8 + 1, 8) FROM ${indexes('?4')})`;
const ACCEPT = `UPDATE claims SET accepted = 1 WHERE ${OWN}`;
const RELEASE = `DELETE FROM claims WHERE ${OWN}`;

interface ClaimRow {
  readonly at: number;
  readonly same: number;
  readonly accepted: number;
}

function takenIn(rows: readonly ClaimRow[]): Taken {
  return new Map(rows.map((row) => [row.at, knownOf(row)]));
}

function knownOf({ same, accepted }: ClaimRow): Known {
  if (!accepted) return 'unconfirmed';
  return same ? 'same' : 'changed';
}
