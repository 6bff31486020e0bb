import type { Transaction } from './database/transaction.js';

/** Deletes everything of a run but its claims, which stay as accepted documents. */
export async function deleteRun(transaction: Transaction, run: number): Promise<void> {
  await deleteInPieces(transaction, 'docferry.entries', ['run', 'number'], run);
  await deleteInPieces(transaction, 'docferry.intents', ['run', 'intent'], run);
  for (const table of ['rejects', 'runs']) {
    await transaction.rows(`DELETE FROM docferry.${table} WHERE run = $1`, [run]);
  }
}

/** Deletes the claims of a target that no other run looks at. */
export async function deleteClaims(transaction: Transaction, target: number): Promise<void> {
  await deleteInPieces(transaction, 'docferry.claims', ['target', 'id'], target);
}

const MAX_DELETED = 20_000;

/**
 * Deletes the rows of a run or target from a table in the order of their keys, in several
 * statements: one that takes a minute counts as unanswered.
 */
async function deleteInPieces(
  transaction: Transaction,
  table: string,
  [owner, key]: readonly [owner: string, key: string],
  of: number,
): Promise<void> {
  const left = `FROM ${table} WHERE ${owner} = $1 AND (${key} > $2 OR $2 IS NULL)`;
  const statement = `WITH last AS (
      SELECT key FROM (SELECT ${key} AS key ${left} ORDER BY key LIMIT ${MAX_DELETED}) AS piece
      ORDER BY key DESC LIMIT 1
    ), deleted AS (DELETE ${left} AND ${key} <= (SELECT key FROM last))
    SELECT key FROM last`;
  for (let last: string | number | null = null; ; ) {
    const [piece]: readonly { readonly key: string | number }[] = await transaction.rows(
      statement,
      [of, last],
    );
    if (piece === undefined) return;
    last = piece.key;
  }
}
