import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../helpers/files.js';
import { inPieces, readAll, values } from '../../input/read-all.js';

const readJson = async (text: string): ReturnType<typeof readAll> =>
  await readAll(inPieces(Buffer.from(text), 100), { format: 'json' });

it.each([
  ['a text sequence', '\x1e{"a":1}\n\x1e{"a":2}\n'],
  ['objects over several lines', '{\n  "a": 1\n}\n{\n  "a": 2\n}\n'],
])('finds %s in a file called .jsonl', async (_, text) => {
  const file = path.join(newFolder(), 'x.jsonl');
  writeFileSync(file, text);
  expect(values(await readAll(file))).toEqual([{ a: 1 }, { a: 2 }]);
});

it("takes MongoDB's extended JSON for its values", async () => {
  const record = {
    _id: { $oid: '65e2f1a0c0ffee0000000000' },
    stars: { $numberInt: '5' },
    visits: { $numberLong: '9007199254740993' },
    price: { $numberDecimal: '12.50' },
    rating: { $numberDouble: '4.5' },
    posted: { $date: { $numberLong: '1709300000000' } },
    replies: [{ at: { $date: '2024-03-02T10:00:00Z' } }, null],
    early: { $date: -1 },
    other: { $binary: { base64: 'AA==', subType: '00' } },
    both: { $oid: 'x', a: 1 },
    text: '$date',
  };
  const plain = {
    _id: '65e2f1a0c0ffee0000000000',
    stars: 5,
    visits: '9007199254740993',
    price: '12.50',
    rating: 4.5,
    posted: '2024-03-01T13:33:20.000Z',
    replies: [{ at: '2024-03-02T10:00:00Z' }, null],
    early: '1969-12-31T23:59:59.999Z',
    other: { $binary: { base64: 'AA==', subType: '00' } },
    both: { $oid: 'x', a: 1 },
    text: '$date',
  };
  const lines = `${JSON.stringify(record)}\n`.repeat(2);
  expect(values(await readJson(lines))).toEqual([plain, plain]);
  expect(values(await readJson(JSON.stringify([record], null, 2)))).toEqual([plain]);
});

it('says how lists on lines are read', async () => {
  const file = path.join(newFolder(), 'x.json');
  writeFileSync(file, '[{"a":1},{"a":2}]\n[{"a":3}]\n');
  const message = expect.stringMatching(
    /something follows .*set the format to jsonl \(--format jsonl\) and records to "\[\]"/,
  );
  expect(await readAll(file)).toMatchObject({ error: { message } });
  const lines = await readAll(file, { format: 'jsonl' });
  expect(lines.source.notices).toEqual([expect.stringContaining('set records: "[]"')]);
  const read = await readAll(file, { format: 'jsonl', records: '[]' });
  expect(read.source.notices).toEqual([]);
  expect(values(read)).toMatchObject([{ a: 1 }, { a: 2 }, { a: 3 }]);
});

it.each([
  ['[]', {}],
  ['data.records[]', { data: true, records: true }],
])('refuses a document that is only objects by id, and names %s', async (records, around) => {
  const byId = { 901: { id: 1, text: 'Nice' }, 902: { id: 2, text: 'Bad' } };
  const wrapped = Object.keys(around).reduceRight<object>((value, key) => ({ [key]: value }), byId);
  const text = JSON.stringify(wrapped);
  await expect(readJson(text)).rejects.toThrow(`set records to ${records}.`);
  const read = await readAll(inPieces(Buffer.from(text), 100), { format: 'json', records });
  expect(values(read)).toMatchObject([{ id: 1 }, { id: 2 }]);
});
