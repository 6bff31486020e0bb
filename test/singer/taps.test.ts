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

it('a tap after the manner of the Meltano SDK: versions, nested records, partitions', async () => {
  const target = await makeTarget({ streams: { app_reviews: { mapping: 'app.json' } } });
  const mapping = {
    profile: 'minimal',
    document: {
      sourceId: '{review_id}',
      text: '{content.body}',
      language: '{content.language}',
      published: { from: 'submitted_at', date: 'iso' },
      author: { username: '{author.name}' },
    },
  };
  put(target.folder, 'app.json', JSON.stringify(mapping));
  const review = (id: string, version: number) => ({
    type: 'RECORD',
    stream: 'app_reviews',
    record: {
      review_id: id,
      submitted_at: '2026-03-01T10:00:00+02:00',
      author: { name: 'Ana', country: null },
      content: { body: `Review ${id}`, language: 'en', translations: [] },
      _sdc_extracted_at: '2026-03-02T00:00:00.123456+00:00',
      _sdc_sequence: 1_772_409_600_123,
      _sdc_table_version: version,
    },
    version,
    time_extracted: '2026-03-02T00:00:00.123456+00:00',
  });
  const value = {
    bookmarks: {
      app_reviews: {
        partitions: [
          {
            context: { app: 'com.example.one' },
            replication_key: 'submitted_at',
            replication_key_value: '2026-03-01T10:00:00+02:00',
            progress_markers: { Note: 'Progress is not resumable if interrupted.' },
          },
        ],
      },
    },
  };
  const { end, states, said } = await tap(
    target,
    output([
      {
        type: 'SCHEMA',
        stream: 'app_reviews',
        schema: { properties: { review_id: { type: 'string' } }, type: 'object', $schema: 'x' },
        key_properties: ['review_id'],
        bookmark_properties: ['submitted_at'],
      },
      { type: 'ACTIVATE_VERSION', stream: 'app_reviews', version: 1_772_409_600_000 },
      review('a', 1_772_409_600_000),
      { type: 'STATE', value: {} },
      review('b', 1_772_409_600_000),
      { type: 'ACTIVATE_VERSION', stream: 'app_reviews', version: 1_772_409_600_000 },
      { type: 'STATE', value },
    ]),
  );
  expect(end).toMatchObject({ exitCode: 0, stop: null });
  expect(states.map((text) => JSON.parse(text))).toEqual([value]);
  expect(said.filter((message) => message.includes('ACTIVATE_VERSION'))).toHaveLength(1);
  const texts = (await documentsOf(target)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['Review a', 'Review b']);
});
