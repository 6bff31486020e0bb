import { AT_ONCE, type Database } from './database/database.js';

/** What somebody who sends hears in exchange for a report. */
export interface PaceNews {
  /** Whether this session is the one to make the pace. */
  readonly leads: boolean;
  /** How many others send to the same target now. */
  readonly others: number;
  /** The latest pace in its maker's form; `null`: there is none yet. */
  readonly pace: string | null;
  /** How old it is, in milliseconds. */
  readonly ageMs: number;
}

/** What somebody has told who sends. */
export interface PaceReport {
  readonly session: number;
  readonly report: string;
  /** How old it is, in milliseconds. */
  readonly ageMs: number;
}

/** How those who send to one target agree on how fast they do. One of them leads. */
export class Paces {
  readonly #database: Database;
  readonly #target: number;
  readonly #session: number;

  constructor(database: Database, target: number, session: number) {
    this.#database = database;
    this.#target = target;
    this.#session = session;
  }

  async exchange(report: string): Promise<PaceNews> {
    const values = [this.#target, this.#session, report];
    const [news] = await this.#database.rows<PaceNews>(EXCHANGE, values, AT_ONCE);
    return news as PaceNews;
  }

  /** What all have told since the last time. */
  async collect(): Promise<readonly PaceReport[]> {
    return await this.#database.rows<PaceReport>(
      `DELETE FROM docferry.pace_reports WHERE target = $1
       RETURNING session, report, ${age('at')} AS "ageMs"`,
      [this.#target],
      AT_ONCE,
    );
  }

  /** Tells all how fast they may send, as long as this session leads. */
  async publish(pace: string): Promise<void> {
    await this.#database.rows(
      `UPDATE docferry.paces SET pace = $3, made = clock_timestamp()
       WHERE target = $1 AND leader = $2`,
      [this.#target, this.#session, pace],
      AT_ONCE,
    );
  }
}

function age(at: string): string {
  return `(extract(epoch FROM clock_timestamp() - ${at}) * 1000)::double precision`;
}

/** Another one leads if the leader has said nothing for 2 s; who says nothing for 3 s has left. */
const EXCHANGE = `WITH told AS (
    INSERT INTO docferry.pace_reports (target, session, report) VALUES ($1, $2, $3)
  ), there AS (
    INSERT INTO docferry.paced (target, session) VALUES ($1, $2)
    ON CONFLICT (target, session) DO UPDATE SET at = clock_timestamp()
  ), led AS (
    INSERT INTO docferry.paces AS p (target, leader) VALUES ($1, $2)
    ON CONFLICT (target) DO UPDATE SET leader = $2, led = clock_timestamp()
      WHERE p.leader = $2 OR p.led < clock_timestamp() - interval '2 s'
    RETURNING leader
  )
  SELECT EXISTS (SELECT FROM led) AS leads,
    (SELECT count(*)::integer FROM docferry.paced WHERE target = $1 AND session <> $2
      AND at > clock_timestamp() - interval '3 s') AS others,
    (SELECT pace FROM docferry.paces WHERE target = $1) AS pace,
    coalesce((SELECT ${age('made')} FROM docferry.paces WHERE target = $1), 0) AS "ageMs"`;
