// @ts-check
// How many claims Postgres takes a second: `node bench/claims.mjs [--rows 100000000]`. In a server
// of its own, it fills a table with rows, and then claims 500 documents a transaction, each with its
// intent before and its acknowledgement after.
// `--data DIR` keeps the server's data there; `--only fill` and `--only measure` part the two.
import { fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeData, start } from './start-postgres.js';

const PARTITIONS = 32;
const FILLED_AT_ONCE = 5_000_000;
const CLAIMS = 500;
const CLIENTS = [1, 2, 4];

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '20' },
    data: { type: 'string' },
    only: { type: 'string' },
    client: { type: 'boolean' },
  },
});
const ROWS = Number(options.rows);
const SECONDS = Number(options.seconds);

async function main() {
  const folder = path.resolve(options.data ?? mkdtempSync('/tmp/docferry-claims-'));
  try {
    if (options.only !== 'measure') await fill(folder);
    if (options.only !== 'fill') await measure(folder);
  } finally {
    if (options.data === undefined) rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder */
async function fill(folder) {
  makeData(folder);
  // What is made in a transaction is then not logged as well.
  const server = await start(folder, { wal_level: 'minimal', max_wal_senders: 0 });
  try {
    await fillWith(server.client);
  } finally {
    await server.stop();
  }
}

/** @param {pg.Client} client */
async function fillWith(client) {
  await client.query('BEGIN');
  await client.query(SCHEMA);
  for (let rows = 0; rows < ROWS; rows += FILLED_AT_ONCE) {
    await client.query(FILL, [Math.min(FILLED_AT_ONCE, ROWS - rows)]);
    tell(`${Math.min(rows + FILLED_AT_ONCE, ROWS)} of ${ROWS} rows`);
  }
  await client.query('COMMIT');
  await client.query("SET maintenance_work_mem = '1GB'");
  await client.query('ALTER TABLE claims ADD PRIMARY KEY (target, id)');
  tell('primary key');
  // Or autovacuum would do it in the middle of a measurement.
  await client.query('VACUUM (FREEZE, ANALYZE) claims');
  tell('vacuumed');
}

const SCHEMA = `
  CREATE TABLE claims (target int NOT NULL, id uuid NOT NULL, content bigint NOT NULL, run int,
    intent bigint) PARTITION BY HASH (target, id);
  ${Array.from(
    { length: PARTITIONS },
    (_, n) => `CREATE TABLE claims_${n} PARTITION OF claims
      FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n});`,
  ).join('\n')}
  CREATE TABLE intents (id bigint PRIMARY KEY, run int NOT NULL, shard int NOT NULL,
    records text NOT NULL, ids text NOT NULL, digests bytea NOT NULL, state text NOT NULL);
`;
const FILL = `
  INSERT INTO claims (target, id, content, run)
  SELECT 1, gen_random_uuid(), hashint8extended(n, 0), 1 FROM generate_series(1, $1::int8) n`;

/** @param {string} folder */
async function measure(folder) {
  // From memory, as in the middle of a long import.
  spawnSync('sh', ['-c', 'cat "$0"/data/base/*/* > /dev/null', folder]);
  const server = await start(folder);
  try {
    await printSizes(server.client);
    console.log('clients  claims/s  transactions/s  median ms  99% ms  WAL bytes/claim');
    for (const clients of CLIENTS) await measureWith(clients, server);
    await printSizes(server.client);
  } finally {
    await server.stop();
  }
}

/** @param {pg.Client} client */
async function printSizes(client) {
  const { rows } = await client.query(`
    SELECT sum(pg_table_size(inhrelid)) AS heap, sum(pg_indexes_size(inhrelid)) AS index,
      pg_total_relation_size('intents') AS intents, (SELECT count(*) FROM claims) AS claims
    FROM pg_inherits WHERE inhparent = 'claims'::regclass`);
  const { claims, heap, index, intents } = rows[0];
  const each = (/** @type {string} */ bytes) =>
    `${gigabytes(bytes)} GB (${(Number(bytes) / Number(claims)).toFixed(1)} bytes a claim)`;
  console.log(`${claims} claims: table ${each(heap)}, index ${each(index)};`);
  console.log(`intents: ${gigabytes(intents)} GB`);
}

const gigabytes = (/** @type {string} */ bytes) => (Number(bytes) / 1e9).toFixed(2);

/** @param {number} count @param {import('./start-postgres.js').Server} server */
async function measureWith(count, { url, client }) {
  const clients = Array.from({ length: count }, () =>
    fork(fileURLToPath(import.meta.url), ['--client', '--seconds', options.seconds], {
      env: { ...process.env, DOCFERRY_BENCH_URL: url },
    }),
  );
  await Promise.all(clients.map((process) => once(process, 'message')));
  // So that each begins alike: after one, every page that is written goes to the log as a whole.
  await client.query('CHECKPOINT');
  const before = await position(client);
  for (const process of clients) process.send('go');
  const answers = await Promise.all(clients.map((process) => once(process, 'message')));
  const ms = answers
    .flatMap(([times]) => /** @type {number[]} */ (times))
    .toSorted((a, b) => a - b);
  const claims = ms.length * CLAIMS;
  const columns = [
    String(count).padStart(7),
    (claims / SECONDS).toFixed(0).padStart(8),
    (ms.length / SECONDS).toFixed(1).padStart(14),
    (ms[Math.floor(ms.length / 2)] ?? 0).toFixed(1).padStart(9),
    (ms[Math.floor(ms.length * 0.99)] ?? 0).toFixed(1).padStart(6),
    (((await position(client)) - before) / claims).toFixed(0).padStart(15),
  ];
  console.log(columns.join('  '));
}

/** How much was written to the log. @param {pg.Client} client */
async function position(client) {
  const { rows } = await client.query("SELECT pg_current_wal_lsn() - '0/0' AS bytes");
  return Number(rows[0].bytes);
}

/** What a client process does. */
async function claimWhenTold() {
  const client = new pg.Client({ connectionString: process.env['DOCFERRY_BENCH_URL'] });
  await client.connect();
  await claimOnce(client);
  process.send?.('ready');
  await once(process, 'message');
  const end = performance.now() + SECONDS * 1000;
  const ms = [];
  for (let now = performance.now(); now < end; now = performance.now()) {
    await claimOnce(client);
    ms.push(performance.now() - now);
  }
  process.send?.(ms);
  await client.end();
  process.disconnect();
}

/** @param {pg.Client} client */
async function claimOnce(client) {
  const intent = randomBytes(8).readBigInt64BE();
  const { ids, contents, sourceIds, digests } = documents();
  await client.query('BEGIN');
  const values = [intent, 1, 1, '1-500', sourceIds, digests, 'sending'];
  await client.query({ name: 'intend', text: INTEND, values });
  const claim = { name: 'claim', text: CLAIM, values: [ids, contents, intent] };
  const { rowCount } = await client.query(claim);
  if (rowCount !== CLAIMS) throw new Error(`Of ${CLAIMS} new documents, ${rowCount} were claimed.`);
  await client.query('COMMIT');
  await client.query({ name: 'acknowledge', text: ACKNOWLEDGE, values: [intent] });
}

const INTEND = `
  INSERT INTO intents (id, run, shard, records, ids, digests, state)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const CLAIM = `
  INSERT INTO claims (target, id, content, run, intent)
  SELECT 1, id, content, 2, $3::bigint FROM unnest($1::uuid[], $2::bigint[]) AS new (id, content)
  ON CONFLICT DO NOTHING RETURNING id`;
const ACKNOWLEDGE = `UPDATE intents SET state = 'accepted' WHERE id = $1`;

/** New documents in the order of their ids, as two arrays in Postgres' notation. */
function documents() {
  const hex = randomBytes(16 * CLAIMS).toString('hex');
  const ids = Array.from({ length: CLAIMS }, (_, n) => hex.slice(32 * n, 32 * n + 32)).toSorted();
  const digests = randomBytes(8 * CLAIMS);
  const contents = ids.map((_, n) => digests.readBigInt64LE(8 * n));
  const sourceIds = ids.map((id) => id.slice(0, 12)).join('\n');
  return { ids: `{${ids}}`, contents: `{${contents}}`, sourceIds, digests };
}

/** @param {string} text */
function tell(text) {
  console.error(`${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${text}`);
}

await (options.client ? claimWhenTold() : main());
