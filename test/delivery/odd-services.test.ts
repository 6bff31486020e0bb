import { describe, expect, it } from 'vitest';
import { importDocuments, type Report } from '../../src/index.js';
import { startBytes, wholeAnswer, writeForEver } from '../helpers/byte-server.js';
import { type Answer, json, startServer } from '../helpers/http-server.js';
import { longTest } from '../helpers/runs.js';

const mapping = {
  name: 'Odd',
  profile: 'minimal',
  document: {
    sourceId: '{id}',
    text: '{text}',
    language: { value: 'en' },
    published: { value: '2024-06-03T16:30:00Z', date: 'iso' },
  },
};

/** Imports ten records in batches of five. */
async function importInto(baseUrl: string): Promise<Report> {
  const report = await importDocuments({
    input: Array.from({ length: 10 }, (_, id) => ({ id: `r${id}`, text: 'Good' })),
    mapping,
    monitoring: 1,
    connection: { baseUrl, username: 'u', apiKey: 'k', timeoutMs: 500 },
    ...{ batchSize: 5, concurrency: 1, quietMs: 100, lookForMs: 500, maxOutageMs: 1_000 },
    throwOn: 'never',
  });
  const { read, ...outcomes } = report.counts;
  expect(read).toBe(Object.values(outcomes).reduce((sum, count) => sum + count, 0));
  return report;
}

const page =
  (status: number, headers = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end('<html><title>Sign in</title></html>');

/** Good until documents come. */
const onImport =
  (answer: Answer): Answer =>
  (request, response, body) =>
    request.method === 'GET' ? json(response, 200, { id: 1 }) : answer(request, response, body);

it.each<[string, number, Answer]>([
  ['401 in HTML', 3, page(401)],
  ['403 in HTML', 3, page(403)],
  ['407', 3, page(407)],
  ['404 in HTML', 3, page(404)],
  ["a redirect to a login's page", 3, page(302, { location: 'https://sso.example.com/login' })],
  ["a login's page that says 200", 3, page(200)],
  ['502 in HTML', 4, page(502)],
  ['401 in HTML, from the first import on', 3, onImport(page(401))],
  [
    '403 without a body, from the first import on',
    3,
    onImport((_, res) => void res.writeHead(403).end()),
  ],
  ['405 in HTML, from the first import on', 3, onImport(page(405))],
  ['a redirect, from the first import on', 3, onImport(page(302, { location: '/login' }))],
])('a service that answers %s ends the run with exit code %i', async (_, exitCode, answer) => {
  const server = await startServer(answer);
  const report = await importInto(server.baseUrl);
  expect(report).toMatchObject({ status: 'stopped', exitCode });
  expect(report.counts.accepted).toBe(0);
});

it('413 in HTML is about size: smaller batches go, and a document alone is rejected', async () => {
  const server = await startServer(
    onImport((request, response, body) => {
      const { documents } = JSON.parse(body) as { documents: { sourceId: string }[] };
      const large = documents.length > 2 || documents.some(({ sourceId }) => sourceId === 'r7');
      if (large) page(413)(request, response, body);
      else json(response, 200, { accepted: true, documents: documents.length });
    }),
  );
  const report = await importInto(server.baseUrl);
  expect(report.counts).toMatchObject({ accepted: 9, rejected: 1 });
});

/** Whoever asks again for what there is, after it was asked once, is refused: so reading ends. */
function refusingLater(answer: Answer): Answer {
  let asked = 0;
  return (request, response, body) => {
    if (request.url?.includes('/monitorings/') === false) asked += 1;
    (asked > 1 ? page(403) : answer)(request, response, body);
  };
}

it.each<[unknown]>([
  [{ documents: { toString: 1 } }],
  [[[{ toString: 1 }]]],
  [{ accepted: true, documents: {} }],
])(
  'values that are not what they should be leave documents unknown, and the run ends: %j',
  async (value) => {
    const odd = onImport((_, response) => json(response, 200, value));
    const server = await startServer(refusingLater(odd));
    const report = await importInto(server.baseUrl);
    expect(report).toMatchObject({ exitCode: 5, counts: { read: 10, unknown: 10 } });
  },
);

describe('interim answers without end', () => {
  const interim = 'HTTP/1.1 102 Processing\r\n\r\n';

  it('end with the timeout before the first import', async () => {
    const always = await startBytes((socket) => {
      socket.once('data', () => writeForEver(socket, interim));
    });
    expect(await importInto(always)).toMatchObject({ exitCode: 4, status: 'stopped' });
  });

  longTest('end with the timeout while reconciling', async () => {
    let asked = 0;
    const onPosts = await startBytes((socket) => {
      socket.on('data', (bytes: Buffer) => {
        const head = bytes.toString('latin1');
        if (head.startsWith('POST /5.0/documents')) asked += 1;
        if (head.startsWith('GET')) socket.write(wholeAnswer('{"id":1}'));
        else if (asked > 1) socket.write(wholeAnswer('{}', '403 Forbidden'));
        else writeForEver(socket, interim);
      });
    });
    const report = await importInto(onPosts);
    expect(asked).toBe(2);
    expect(report.counts.accepted).toBe(0);
    expect(report.counts.unknown).toBeGreaterThan(0);
  });
});
