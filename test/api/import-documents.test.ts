import { describe, expect, it } from 'vitest';
import type { ImportedDocument } from '../../src/api/index.js';
import { OptionError, ServiceError } from '../../src/api/index.js';
import { openClientOn, rejection } from './open-client.js';

const documents: ImportedDocument[] = [
  { sourceId: '1', text: 'Café "Ñ"', metrics: [{ name: 'score', value: 9.5 }] },
  { sourceId: '2', text: '🏨\n', tags: ['a'] },
];

describe('importDocuments', () => {
  it.each([
    ['took fewer', { accepted: true, documents: 1 }, /accepted 1 of 2 documents/],
    ['did not accept them', { accepted: false, documents: 2 }, /did not accept the 2 documents/],
    ['says neither', { documents: 2 }, /"accepted" is not true or false/],
  ])('rejects when the service %s', async (_, answer, message) => {
    const { client } = await openClientOn([answer]);
    const error = await rejection(client.importDocuments(7, documents));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toMatch(message);
  });

  it.each<[string, unknown, RegExp]>([
    ['no documents', [], /^documents is an empty list; .*at least one/],
    ['no list', documents[0], /^documents is /],
    [
      'what is no document',
      [documents[0], 'text'],
      /^documents\[1\] is "text"; expected a document/,
    ],
  ])('refuses %s before it asks', async (_, wrong, message) => {
    const { client, server } = await openClientOn([{}]);
    const error = await rejection(client.importDocuments(7, wrong as ImportedDocument[]));
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toMatch(message);
    expect(server.requests).toEqual([]);
  });
});
