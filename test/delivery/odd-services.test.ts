import { expect, it } from 'vitest';
import { importDocuments, type Report } from '../../src/index.js';
import { type Answer, json, startServer } from '../helpers/http-server.js';

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
