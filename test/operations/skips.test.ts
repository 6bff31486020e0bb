import { describe, expect, it } from 'vitest';
import { type Mapping, validateDocuments } from '../../src/index.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping, minimalYaml } from '../helpers/reviews.js';

describe('skipped records', () => {
  it('are counted by the first condition that holds, most frequent first', async () => {
    const folder = newFolder();
    const mapping = put(
      folder,
      'm.yaml',
      `${minimalYaml()}skip:\n  - { from: Status, in: [deleted] }\n  - { from: text, blank: true }\n`,
    );
    const rows = ['a,,deleted', 'b,Good,', 'id,text,Status', 'c,,', 'd,,', 'e,Fine,shown'];
    const input = put(folder, 'r.csv', `id,text,Status\n${rows.join('\n')}\n`);
    const { counts, skips } = await validateDocuments({ input, mapping });
    expect(counts).toMatchObject({ read: 6, skipped: 4, unsent: 2 });
    expect(skips).toEqual([
      { condition: 'text is blank', records: 2, mappingLine: 7 },
      { condition: 'repeats the header', records: 1, mappingLine: null },
      { condition: 'Status is "deleted"', records: 1, mappingLine: 6 },
    ]);
  });

  const conditions: readonly [NonNullable<Mapping['skip']>[number], string][] = [
    [{ from: 'x', in: ['v', 'w'] }, 'x is "v" or "w"'],
    [{ from: 'x', in: ['a', 'b', 'c', 'd', 'v'] }, 'x is "a", "b", "c" or 2 other values'],
    [{ from: ['y', 'z'], blank: true }, 'y and z are blank'],
    [{ from: ['x', 'y'], blank: false }, "x or y isn't blank"],
    [{ from: 'x', matches: '^v\n?$' }, 'x matches /^v\\u000a?$/'],
    [{ from: 'n', below: 10 }, 'n is below 10'],
    [{ from: 'n', above: 5 }, 'n is above 5'],
    [{ from: 'a "b"', in: ['v'] }, '"a \\"b\\"" is "v"'],
  ];
  it.each(conditions)('are explained in one line: %j', async (condition, text) => {
    const { skips } = await validateDocuments({
      input: [{ id: '1', text: 'Good', x: 'v', n: '9', 'a "b"': 'v' }],
      mapping: { ...minimalMapping(), skip: [condition] },
    });
    expect(skips).toEqual([{ condition: text, records: 1, mappingLine: null }]);
  });
});
