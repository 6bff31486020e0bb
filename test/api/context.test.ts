import { describe, expect, it } from 'vitest';
import { OptionError } from '../../src/api/index.js';
import { openClientOn, rejection } from './open-client.js';

const publication = { id: 1, parentId: null };
const page = { documents: [publication], total: 1, max: 500, offset: 0 };

describe('context', () => {
  it('refuses what is no id and no offset before it asks', async () => {
    const { client, server } = await openClientOn([page]);
    for (const id of [0, -1, 1.5, Number.NaN, '1' as unknown as number]) {
      const error = await rejection(client.context.page(id));
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toMatch(/^documentId is /);
    }
    expect((await rejection(client.context.page(1, { offset: -1 }))).message).toMatch(
      /^offset is -1; /,
    );
    expect(server.requests).toEqual([]);
  });
});
