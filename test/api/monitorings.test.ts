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
});
