// Imports one shard, with options of the library that a file of JSON has: import-one.mjs FILE [I/N]
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { importDocuments } from '../../dist/index.js';

const [, , file = '', shard] = process.argv;
const [index = 0, count = 0] = (shard ?? '').split('/').map(Number);
const options = JSON.parse(readFileSync(file, 'utf8'));
const part = shard === undefined ? {} : { shard: { index, count } };
const run = importDocuments({ ...options, ...part, throwOn: 'never' });
for await (const event of run)
  if (event.type === 'notice') process.stderr.write(`${event.message}\n`);
const report = await run;
process.exitCode = report.resumable ? report.exitCode : 0;
