// @ts-check
// The script that one would write for this export instead of using docferry, of the same libraries:
// reads a CSV, maps its rows, and checks the documents against the schema.
//   node bench/peers/hand-written.mjs validate reviews.csv
//   node bench/peers/hand-written.mjs import reviews.csv http://127.0.0.1:8080/5.0
//   node bench/peers/hand-written.mjs print reviews.csv
import { createReadStream, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'csv-parse';
import pLimit from 'p-limit';
import { request } from 'undici';
import { mapReview } from './map-review.js';

const BATCH = 500;
const CONCURRENCY = 4;

const [mode = '', file = '', baseUrl = ''] = process.argv.slice(2);
const schema = new URL('../../schemas/imported-document.schema.json', import.meta.url);
const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false });
ajv.addVocabulary(['x-expected']);
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));

const limit = pLimit(CONCURRENCY);
/** @type {Set<Promise<void>>} */
const underWay = new Set();
/** @type {object[]} */
let batch = [];

/** What is done with a valid document. @type {Record<string, (document: object) => unknown>} */
const MODES = { validate: () => {}, import: addToBatch, print };
const take = MODES[mode];
if (take === undefined) throw new Error(`The mode is ${mode}; expected validate, import or print.`);

const downloaded = new Date().toISOString();
let valid = 0;
let invalid = 0;
for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
  const document = mapReview(row, downloaded);
  if (!isValid(document)) {
    invalid += 1;
    continue;
  }
  valid += 1;
  const room = take(document);
  if (room !== undefined) await room;
}
if (batch.length > 0) sendBatch();
await Promise.all(underWay);
if (mode !== 'print') console.log(JSON.stringify({ valid, invalid }));

/** @param {object} document */
function print(document) {
  console.log(JSON.stringify(document));
}

/**
 * Sends a full batch; while four requests are under way, what it gives waits for one of them.
 * @param {object} document
 */
function addToBatch(document) {
  batch.push(document);
  if (batch.length < BATCH) return undefined;
  sendBatch();
  return underWay.size < CONCURRENCY ? undefined : Promise.race(underWay);
}

function sendBatch() {
  const documents = batch;
  batch = [];
  const sending = limit(() => send(documents)).finally(() => underWay.delete(sending));
  underWay.add(sending);
}

/** @param {object[]} documents */
async function send(documents) {
  const { statusCode, body } = await request(`${baseUrl}/monitorings/1/documents`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('bench:bench').toString('base64')}`,
    },
    body: JSON.stringify({ documents }),
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`The service answered ${statusCode}: ${answer}`);
}
