// @ts-check
// A stand-in for the service that counts the documents of every body, and keeps nothing:
// `node bench/sink.mjs [--delay-ms 50]`. It also takes what goes to Elasticsearch's `_bulk`. It
// parses as little as it can: on two cores, its work would be measured with that of the clients.
// First line on stdout: its base URL. `GET /taken` tells what came since it was last asked.
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { 'delay-ms': { type: 'string', default: '0' } } });
const DELAY_MS = Number(values['delay-ms']);

const NOTHING = { requests: 0, documents: 0, bytes: 0, firstMs: 0, lastMs: 0 };
let taken = { ...NOTHING };

const server = createServer(async (request, response) => {
  const start = performance.now();
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const answer = JSON.stringify(answerTo(request.method, request.url ?? '', Buffer.concat(pieces)));
  // A request takes this long with all that is done about it.
  const left = start + DELAY_MS - performance.now();
  if (request.method === 'POST' && left > 0) await setTimeout(left);
  response.setHeader('content-type', 'application/json');
  // Without it, Elasticsearch's client refuses to go on.
  response.setHeader('x-elastic-product', 'Elasticsearch');
  response.end(answer);
});

/** @param {string | undefined} method @param {string} url @param {Buffer} body */
function answerTo(method, url, body) {
  if (url === '/taken') return takenSinceAsked();
  if (method === 'GET') return { id: 1 };
  return url.startsWith('/_bulk') ? takeBulk(body) : takeDocuments(body);
}

function takenSinceAsked() {
  const answer = taken;
  taken = { ...NOTHING };
  return answer;
}

/** @param {Buffer} body */
function takeDocuments(body) {
  let documents = 0;
  for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at + MARK.length)) {
    documents += 1;
  }
  count(documents, body);
  return { accepted: true, documents };
}

/** Each document has one; in a text, the quotes are escaped. */
const MARK = Buffer.from('"downloaded":"');

/** Lines in pairs: what to do with a document, and the document. @param {Buffer} body */
function takeBulk(body) {
  const lines = body.toString('utf8').trimEnd().split('\n');
  const items = [];
  for (let at = 0; at < lines.length; at += 2) {
    const { index } = JSON.parse(lines[at] ?? '');
    items.push({ index: { ...index, status: 201, result: 'created' } });
  }
  count(items.length, body);
  return { took: 1, errors: false, items };
}

/** @param {number} documents @param {Buffer} body */
function count(documents, body) {
  taken.lastMs = performance.now();
  if (taken.requests === 0) taken.firstMs = taken.lastMs;
  taken.requests += 1;
  taken.documents += documents;
  taken.bytes += body.length;
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  console.log(`http://127.0.0.1:${port}/5.0`);
});
process.on('SIGTERM', () => {
  console.log(JSON.stringify(taken));
  process.exit(0);
});
