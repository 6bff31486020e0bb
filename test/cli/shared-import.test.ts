/** An import on a shared state, as its users have it; and what of their secrets is to be seen. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { HAS } from '../helpers/needs.js';
import { startPostgres } from '../helpers/postgres.js';
import { startDocferry } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';
import { startWithMonitoring } from '../helpers/start-sandbox.js';
import { command, type Job, lines, makeJob, reportIn, reviews } from '../reliability/job.js';

async function jobOf(records: number): Promise<Job> {
  return await makeJob({ folder: newFolder(), sandbox: await startWithMonitoring(), records });
}

describe.skipIf(!(HAS.ownPostgres && HAS.linux))('the API key and the password of a state', () => {
  const where = 'are in no table, log, output, file or list of processes';
  longTest(where, { timeout: 120_000 }, async () => {
    const job = await jobOf(40);
    put(job.folder, 'reviews.jsonl', lines([...reviews(40), { id: 'bad', text: '', at: 'never' }]));
    const postgres = await startPostgres(LOG_ALL);
    const { url: state } = postgres;
    const secrets = secretsOf(job, state);
    const files = ['--rejects', 'rejects.jsonl', '--report', 'report.json'];
    const importing = startDocferry(
      [...job.arguments, ...files, '--state', state],
      job.surroundings,
    );
    onTestFinished(() => void importing.child.kill('SIGKILL'));
    const seen = [await argumentsOf(importing.child.pid)];
    const ended = await importing.ended;
    expect(ended.code, ended.stderr).toBe(1);
    const part = ['--run', 'nightly', '--shard', '1/1', `--state=${state}`];
    const shard = startDocferry([...job.arguments, ...part], job.surroundings);
    seen.push(await argumentsOf(shard.child.pid));
    const { run } = reportIn(ended);
    const outputs = [ended, await shard.ended];
    outputs.push(await command(job, 'report', 'nightly', '--state', state));
    for (const words of [
      ['runs', 'list'],
      ['runs', 'show', run],
      ['runs', 'resume', run],
    ]) {
      outputs.push(await command(job, ...words, '--json', '--state', state));
      outputs.push(await command(job, ...words, '--state', state));
    }
    outputs.push(await command(job, 'runs', 'show', 'nope', '--state', state));
    seen.push(...outputs.flatMap(({ stdout, stderr }) => [stdout, stderr]));
    for (const name of readdirSync(job.folder, { recursive: true, withFileTypes: true })) {
      if (name.isFile()) seen.push(readFileSync(path.join(name.parentPath, name.name), 'latin1'));
    }
    const tables = await tablesOf(state);
    // Or nothing would have been looked at.
    for (const text of [tables, postgres.log()]) expect(text).toContain(run);
    seen.push(postgres.log());
    expect(seen.join('\n')).toContain('docferry');
    for (const secret of secrets) {
      expect(tables.includes(secret), `${secret} in a table`).toBe(false);
      for (const text of seen) expect(text).not.toContain(secret);
    }
  });
});

/** Statements with their parameters. */
const LOG_ALL = { log_statement: 'all', log_connections: 'on' };

/** In the forms in which they travel. */
function secretsOf({ sandbox: { username, apiKey } }: Job, state: string): readonly string[] {
  const { password } = new URL(state);
  const basic = Buffer.from(`${username}:${apiKey}`).toString('base64');
  return [apiKey, encodeURIComponent(apiKey), basic, password];
}

/** As other users of the machine see them, once the process has begun and hidden them. */
async function argumentsOf(pid: number | undefined): Promise<string> {
  const shown = (): string =>
    execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  await expect.poll(shown, { timeout: 10_000, interval: 20 }).toMatch(/^docferry\s*$/);
  return shown() + readFileSync(`/proc/${pid}/cmdline`, 'latin1');
}

/** All that is in all tables. */
async function tablesOf(state: string): Promise<string> {
  const client = new pg.Client({ connectionString: state });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace::regnamespace::text ~ '^docferry'",
    );
    const texts: string[] = [];
    for (const { name } of rows) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} AS t`,
      );
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
