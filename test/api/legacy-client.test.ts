import { describe, expect, it, onTestFinished } from 'vitest';
import { createLegacyClient, type LegacyClient, OptionError } from '../../src/api/index.js';
import { json, startServer, type TestServer } from '../helpers/http-server.js';
import { credentials, rejection } from './open-client.js';

const query = { monitorings: [7, 9], start: '2024-05-01', end: '2024-05-31' };
const parameters = 'monitorings=7%2C9&start=2024-05-01+00%3A00&end=2024-05-31+23%3A59';

async function open(answer: unknown): Promise<{ client: LegacyClient; server: TestServer }> {
  const server = await startServer((_, response) => json(response, 200, answer));
  const baseUrl = server.baseUrl.replace('5.0', '4.0');
  const client = createLegacyClient({ baseUrl, ...credentials });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { client, server };
}

describe('the client of version 4.0', () => {
  it('lists monitorings', async () => {
    const { client, server } = await open({ monitorings: [{ id: 7, title: 'Hotels' }] });
    expect(await client.monitorings()).toEqual([{ id: 7, title: 'Hotels' }]);
    expect(server.requests).toEqual([{ method: 'GET', url: '/4.0/monitorings', body: '' }]);
  });

  it('asks for documents, authors and indicators with filters in the address', async () => {
    const answer = { data: [{ id: 1, likes: 2 }], indicators: [], total: 1, offset: 0, count: 1 };
    const { client, server } = await open(answer);
    expect(await client.documents(query)).toEqual(answer);
    expect(await client.authors({ ...query, offset: 5 })).toEqual(answer);
    expect(await client.indicators(query)).toEqual(answer);
    expect(server.requests).toEqual([
      { method: 'GET', url: `/4.0/documents?${parameters}`, body: '' },
      { method: 'GET', url: `/4.0/authors?${parameters}&offset=5`, body: '' },
      { method: 'GET', url: `/4.0/indicators?${parameters}`, body: '' },
    ]);
  });

  it('checks queries and answers like that of 5.0', async () => {
    const { client } = await open({ documents: [] });
    const wrong = { ...query, languages: ['it' as 'es'] };
    expect(await rejection(client.documents(wrong))).toBeInstanceOf(OptionError);
    expect((await rejection(client.documents(query))).message).toContain(
      'its "data" is not a list of objects',
    );
  });
});
