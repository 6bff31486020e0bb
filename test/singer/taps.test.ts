import { expect, it } from 'vitest';
import { put } from '../helpers/files.js';
import { documentsOf, line, makeTarget, tap } from './tap.js';

/** What a tap writes: a message a line. */
function output(messages: readonly unknown[]): string {
  return messages.map(line).join('');
}

it("the specification's example: two streams, and one state for both", async () => {
  const target = await makeTarget({
    streams: { users: { mapping: 'users.json' }, locations: { mapping: 'locations.json' } },
  });
  for (const name of ['users', 'locations']) {
    const document = { sourceId: `${name}-{id}`, text: '{name}' };
    put(target.folder, `${name}.json`, JSON.stringify({ profile: 'minimal', document }));
  }
  const schema = { required: ['id'], type: 'object', properties: { id: { type: 'integer' } } };
  const schemaOf = (stream: string) => ({ type: 'SCHEMA', stream, key_properties: ['id'], schema });
  const { end, states } = await tap(
    target,
    output([
      schemaOf('users'),
      { type: 'RECORD', stream: 'users', record: { id: 1, name: 'Chris' } },
      { type: 'RECORD', stream: 'users', record: { id: 2, name: 'Mike' } },
      schemaOf('locations'),
      { type: 'RECORD', stream: 'locations', record: { id: 1, name: 'Philadelphia' } },
      { type: 'STATE', value: { users: 2, locations: 1 } },
    ]),
  );
  expect(end).toMatchObject({ exitCode: 0, stop: null });
  expect(states).toEqual(['{"users":2,"locations":1}']);
  const shown = (await documentsOf(target)).map(({ sourceId, text }) => [sourceId, text]);
  expect(shown.toSorted()).toEqual([
    ['locations-1', 'Philadelphia'],
    ['users-1', 'Chris'],
    ['users-2', 'Mike'],
  ]);
});
