import { describe, expect, it } from 'vitest';
import type { NewSearch } from '../../src/api/index.js';
import { openClientOn, rejection } from './open-client.js';

const search: NewSearch = { source: 'RSS', query: 'https://example.com/feed' };
const answer = { id: 7, title: 'Hotels', status: 'active', searches: [{ id: 1, ...search }] };

describe('monitorings', () => {
  it('pass fields through that are not known here', async () => {
    const rich = { ...answer, credits: 5, searches: [{ ...answer.searches[0], colour: 'red' }] };
    const { client } = await openClientOn([rich]);
    expect(await client.monitorings.get(7)).toEqual(rich);
  });

  it('are not asked for what is no id', async () => {
    const { client, server } = await openClientOn([answer]);
    const errors = await Promise.all(
      [
        client.monitorings.get(0),
        client.monitorings.rename(1.5, 't'),
        client.monitorings.addSearches(-1, [search]),
        client.monitorings.removeSearches(7, []),
        client.monitorings.removeSearches(7, [1, 0]),
      ].map(rejection),
    );
    expect(errors.map(({ message }) => message.split(' is ')[0])).toEqual([
      'id',
      'id',
      'id',
      'searchIds',
      'searchIds',
    ]);
    expect(server.requests).toEqual([]);
  });

  it('are sent as given, with a warning, where the service ignores a setting', async () => {
    const { client, server, warnings } = await openClientOn([answer]);
    const searches: NewSearch[] = [
      { source: 'TWT', query: 'q', language: 'es' },
      { source: 'YTB', query: 'q', includeComments: false },
      { source: 'RSS', query: 'q', language: 'es', includeComments: true },
    ];
    await client.monitorings.addSearches(7, searches);
    expect(warnings).toEqual([
      'searches[2].language has no effect for RSS, only for NTC, TWT.',
      'searches[2].includeComments has no effect for RSS, only for FCP, ITB, YTB.',
    ]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ searches });
  });

  it('make a process warning unless somebody listens', async () => {
    const { client } = await openClientOn([answer], { onWarning: undefined });
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    await client.monitorings.addSearches(7, [{ ...search, language: 'es' }]);
    expect(await warned).toMatchObject({
      name: 'DocferryWarning',
      message: expect.stringContaining('searches[0].language'),
    });
  });
});
