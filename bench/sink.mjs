// @ts-check
// A stand-in for the service that parses every body, counts its documents, and keeps nothing.
// First line on stdout: its base URL. On SIGTERM it prints what it took.
import { createServer } from 'node:http';

let requests = 0;
let documents = 0;
let bytes = 0;

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const answer = request.method === 'GET' ? { id: 1 } : take(Buffer.concat(pieces));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer));
});

/** @param {Buffer} body */
function take(body) {
  const count = JSON.parse(body.toString('utf8')).documents.length;
  requests += 1;
  documents += count;
  bytes += body.length;
  return { accepted: true, documents: count };
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  console.log(`http://127.0.0.1:${port}/5.0`);
});
process.on('SIGTERM', () => {
  console.log(JSON.stringify({ requests, documents, bytes }));
  process.exit(0);
});
