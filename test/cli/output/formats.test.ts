import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csv, jsonLines, jsonList, type Row } from '../../../src/cli/output/print-records.js';
import { table } from '../../../src/cli/output/table.js';
import { CODE_POINT } from '../../helpers/code-point.js';

async function* give<R>(...batches: readonly (readonly R[])[]): AsyncGenerator<readonly R[]> {
  yield* batches;
}

async function text(texts: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of texts) whole += piece;
  return whole;
}

const batchesOfRows = fc.array(fc.array(fc.dictionary(fc.string(), fc.jsonValue())));

describe('JSON lists and lines', () => {
  it('give back what went in, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(batchesOfRows, async (batches) => {
        const rows = JSON.parse(JSON.stringify(batches.flat()));
        expect(JSON.parse(await text(jsonList(give(...batches))))).toEqual(rows);
        const lines = (await text(jsonLines(give(...batches)))).split('\n');
        expect(lines.pop()).toBe('');
        expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
      }),
    );
  });

  it('escape what would act on a terminal, and stay the same value', async () => {
    const row = { text: 'a\u001b[31m\u009b2J\u202e\u2028b\u007f' };
    const line = await text(jsonLines(give([row])));
    expect(line).toBe('{"text":"a\\u001b[31m\\u009b2J\\u202e\\u2028b\\u007f"}\n');
    expect(JSON.parse(line)).toEqual(row);
  });
});

describe('csv', () => {
  const rows = async (batches: readonly (readonly Row[])[], columns: readonly string[]) => {
    const said: string[] = [];
    const written = await text(csv(give(...batches), columns, (message) => said.push(message)));
    return { written, said };
  };

  it('holds every text as it is, whatever its quotes and line ends', async () => {
    const cells = fc.record({ a: fc.string({ unit: CODE_POINT }), b: fc.string() });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cells)), async (batches) => {
        const { written } = await rows(batches, ['a', 'b']);
        expect(parse(written)).toEqual([['a', 'b'], ...batches.flat().map(({ a, b }) => [a, b])]);
      }),
    );
  });

  it('flattens objects, metrics by name and lists to the columns it is given', async () => {
    const record = {
      id: 1,
      metrics: [{ name: 'likes', value: 3 }],
      author: { username: 'ana', isVerified: false, metrics: [{ name: 'followers', value: 0 }] },
      detectedLocations: ['country: España', 'city: Sevilla'],
      citedLocations: [{ country: 'España', countryRegion: null, state: null, city: 'Jerez' }],
      title: null,
    };
    const columns = [
      ...['id', 'metrics.likes', 'metrics.shares', 'author.username', 'author.isVerified'],
      ...['author.metrics.followers', 'detectedLocations', 'citedLocations', 'title'],
    ];
    const { written, said } = await rows([[record]], columns);
    expect(parse(written)[1]).toEqual([
      ...['1', '3', '', 'ana', 'false', '0'],
      ...['country: España; city: Sevilla', 'España, Jerez', ''],
    ]);
    expect(said).toEqual([]);
  });

  it('says which fields had no column', async () => {
    const { said } = await rows(
      [[{ id: 1, mood: 'x', empty: null }], [{ id: 2, metrics: [{ name: 'claps', value: 1 }] }]],
      ['id'],
    );
    expect(said).toEqual([expect.stringContaining('mood, metrics.claps')]);
  });
});

describe('table', () => {
  interface Named {
    readonly id: number;
    readonly name: string;
    readonly depth?: number;
  }
  const columns = [
    { title: 'id', cell: ({ id }: Named) => id, align: 'right' as const },
    { title: 'name', cell: ({ name }: Named) => name, indent: ({ depth = 0 }: Named) => depth },
  ];
  const show = (terminal: number, ...batches: readonly (readonly Named[])[]) =>
    text(table(give(...batches), columns, { width: terminal, color: false }));

  it('aligns its columns and shortens the last one to the terminal', async () => {
    const name = 'A name that is much longer than that';
    expect(
      await show(30, [
        { id: 7, name },
        { id: 1000, name: 'Ana' },
      ]),
    ).toBe('  id  name\n   7  A name that is much…\n1000  Ana\n');
  });

  it('counts wide characters as two columns, and never cuts one in half', async () => {
    const lines = (await show(26, [{ id: 1, name: '旅館の部屋はとても静かでした' }])).split('\n');
    expect(lines[1]).toBe(' 1  旅館の部屋はとても静…');
    const family = '👨‍👩‍👧‍👦';
    expect(await show(26, [{ id: 1, name: family.repeat(12) }])).toContain(`${family.repeat(10)}…`);
  });

  it('keeps every record on a line of its own, whatever its text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: CODE_POINT }), { minLength: 1 }),
        async (names) => {
          const lines = (
            await show(
              80,
              names.map((name) => ({ id: 1, name })),
            )
          ).split('\n');
          expect(lines).toHaveLength(names.length + 2);
          for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
        },
      ),
    );
  });
});
