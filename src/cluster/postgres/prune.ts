import type { RunDescription } from '../../runs/description.js';
import type { Database } from './database/database.js';

/**
 * Removes those of these runs that have nothing left to do and began by some moment. What they
 * claimed stays, unless it concerned no other run.
 * @param moment in milliseconds since 1970
 */
export async function pruneRuns(
  database: Database,
  ids: readonly string[],
  moment: number,
): Promise<{ readonly removed: readonly string[]; readonly kept: number }> {
  const removed: string[] = [];
  for (const id of ids) if (await removeIfDone(database, id, moment)) removed.push(id);
  return { removed, kept: ids.length - removed.length };
}

/** Whether it was. */
async function removeIfDone(database: Database, id: string, moment: number): Promise<boolean> {
  return await database.transaction(async (transaction) => {
    const [row] = await transaction.rows<{
      run: number;
      report: string | null;
      description: string;
    }>(
      `SELECT r.run, f.value AS report, d.value AS description FROM docferry.runs AS r
         LEFT JOIN docferry.facts AS f ON f.run = r.run AND f.name = 'report'
         JOIN docferry.facts AS d ON d.run = r.run AND d.name = 'description'
         WHERE r.id = $1 AND r.state = 'ended' FOR UPDATE OF r`,
      [id],
    );
    if (row === undefined || row.report === null) return false;
    const { resumable } = JSON.parse(row.report) as { resumable: boolean };
    const { started } = JSON.parse(row.description) as RunDescription;
    if (resumable || Date.parse(started) > moment) return false;
    await transaction.rows(
      'DELETE FROM docferry.claims WHERE target IN (SELECT target FROM docferry.targets WHERE run = $1)',
      [id],
    );
    for (const table of ['entries', 'intents']) {
      await transaction.rows(`DROP TABLE docferry.${table}_${row.run}`);
    }
    for (const table of ['rejects', 'shards', 'runs']) {
      await transaction.rows(`DELETE FROM docferry.${table} WHERE run = $1`, [row.run]);
    }
    return true;
  });
}
