import { JournalError, ResumeError } from '../../model/errors.js';
import { isTwin, type RunDescription, type RunTarget } from '../../runs/description.js';
import type { Database, Transaction } from './database/database.js';
import { addJobsOf, makeQueue } from './queue.js';

/** A run that is to begin. */
export interface NewRun {
  readonly description: RunDescription;
  /** What a worker needs to process it, as JSON. */
  readonly plan: string;
  /** Of this docferry. */
  readonly version: string;
  /** Whether what it claims concerns no other run, and what others have claimed not it. */
  readonly alone: boolean;
  /** Number of inputs. */
  readonly inputs: number;
}

/** A number of our own, so that two processes don't begin runs at once. */
const BEGIN_LOCK = 0x64_66_62;

/**
 * Writes down a run that workers process from now on, once.
 * @throws ResumeError if one of the same inputs to the same target is running
 */
export async function beginRun(database: Database, id: string, run: NewRun): Promise<void> {
  await makeQueue(database);
  await database.transaction(async (transaction) => {
    await transaction.rows('SELECT pg_advisory_xact_lock($1)', [BEGIN_LOCK]);
    await checkTwins(transaction, id, run.description);
    if (await isThere(transaction, id)) return;
    const target = await targetOf(transaction, run.description.target, run.alone ? id : '');
    const [row] = await transaction.rows<{ run: number }>(
      `INSERT INTO docferry.runs (id, target, state, version, plan, follows)
       VALUES ($1, $2, 'active', $3, $4,
         EXISTS (SELECT FROM docferry.claims WHERE target = $2)) RETURNING run`,
      [id, target, run.version, run.plan],
    );
    const { run: number } = row as { run: number };
    await transaction.rows(
      "INSERT INTO docferry.facts (run, name, value) VALUES ($1, 'description', $2)",
      [number, JSON.stringify(run.description)],
    );
    for (const table of ['entries', 'intents']) await partition(transaction, table, number);
    const inputs = Array.from({ length: run.inputs }, (_, input) => ({ run: number, input }));
    await transaction.rows(
      'INSERT INTO docferry.inputs (run, input) SELECT $1, unnest($2::integer[])',
      [number, inputs.map(({ input }) => input)],
    );
    await addJobsOf(transaction, number);
  });
}

async function isThere(transaction: Transaction, id: string): Promise<boolean> {
  const found = await transaction.rows('SELECT FROM docferry.runs WHERE id = $1', [id]);
  return found.length > 0;
}

/** @throws ResumeError */
async function checkTwins(
  transaction: Transaction,
  id: string,
  description: RunDescription,
): Promise<void> {
  const rows = await transaction.rows<{ id: string; value: string }>(
    `SELECT r.id, f.value FROM docferry.runs AS r
     JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'description'
     WHERE r.state IN ('active', 'finishing') AND r.id <> $1`,
    [id],
  );
  const twin = rows.find(({ value }) => isTwin(JSON.parse(value) as RunDescription, description));
  if (twin === undefined) return;
  throw new ResumeError(
    `The run ${twin.id} is sending the same input to the same monitoring: wait until it ends, follow it with \`docferry runs resume ${twin.id}\`, or end it with \`docferry runs cancel ${twin.id}\`.`,
  );
}

async function targetOf(
  transaction: Transaction,
  { service, monitoring }: RunTarget,
  run: string,
): Promise<number> {
  const [row] = await transaction.rows<{ target: number }>(
    `INSERT INTO docferry.targets (service, monitoring, run) VALUES ($1, $2, $3)
     ON CONFLICT (service, monitoring, run) DO UPDATE SET service = excluded.service
     RETURNING target`,
    [service, monitoring, run],
  );
  if (row === undefined) throw new JournalError('The target could not be written.');
  return row.target;
}

/** A run's own part of a table. It is made apart, as making it in its place locks the table for all. */
async function partition(transaction: Transaction, table: string, run: number): Promise<void> {
  const own = `docferry.${table}_${run}`;
  await transaction.rows(
    `CREATE TABLE ${own} (LIKE docferry.${table} INCLUDING DEFAULTS INCLUDING INDEXES INCLUDING STORAGE)`,
  );
  await transaction.rows(
    `ALTER TABLE docferry.${table} ATTACH PARTITION ${own} FOR VALUES IN (${run})`,
  );
}
