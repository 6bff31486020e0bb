/** Files whose start doesn't tell their encoding. */
import { describe, expect, it } from 'vitest';
import { findLists } from '../../src/formats/look-into.js';
import { guessMapping, validateDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { newFolder, put } from '../helpers/files.js';
import { minimalMapping } from '../helpers/reviews.js';
import { longTest } from '../helpers/runs.js';

const MAPPING = minimalMapping({ author: { username: '{guest}' } });

/** A table of so many bytes of ASCII, then 20 rows with accents and 5 without, in an encoding. */
function table(
  ascii: number,
  encoding: 'latin1' | 'utf8',
  extra: Buffer = Buffer.alloc(0),
): Buffer {
  const row = (id: number, text: string): string =>
    `${id},"${text} and the staff was kind, breakfast good, room no. ${(id * 7919) % 911} clean",Zoe${id % 90},2024-0${1 + (id % 9)}-11,${1 + (id % 5)}\n`;
  const rows: string[] = [];
  for (let length = 0, id = 1; length < ascii; id += 1) {
    rows.push(row(id, 'Nice stay'));
    length += rows[rows.length - 1]?.length ?? 0;
  }
  const plain = Buffer.from(`id,text,guest,date,rating\n${rows.join('')}`);
  const accents = Array.from({ length: 20 }, (_, n) => row(900_000 + n, 'Très bon café, déjà vu'));
  const others = Array.from({ length: 5 }, (_, n) => row(950_000 + n, 'Fine'));
  return Buffer.concat([plain, Buffer.from([...accents, ...others].join(''), encoding), extra]);
}

const KIB = 1024;
const MIB = 1024 * KIB;

describe('a file that is ASCII at first', () => {
  it.each([
    ['latin1', 'windows-1252'],
    ['utf8', 'utf-8'],
  ] as const)('is looked at up to 8 MiB: %s', async (encoding, found) => {
    const input = put(newFolder(), 'r.csv', table(600 * KIB, encoding));
    const report = await validateDocuments({ input, mapping: MAPPING });
    expect(report.inputs[0]?.encoding).toBe(found);
    expect(report.counts.invalid).toBe(0);
  });

  longTest('and windows-1252 behind that makes records invalid, with the remedy', async () => {
    const input = put(newFolder(), 'r.csv', table(8.5 * MIB, 'latin1'));
    const report = await validateDocuments({
      throwOn: 'never',
      input,
      mapping: MAPPING,
      threads: 0,
    });
    expect(report.counts.invalid).toBe(20);
    expect(report.problems[0]?.examples[0]?.message).toMatch(
      /^column "text" has bytes that are not UTF-8: fix the record, or set the file's encoding$/,
    );
    const again = await validateDocuments({
      input,
      mapping: MAPPING,
      source: { encoding: 'windows-1252' },
    });
    expect(again.counts.invalid).toBe(0);
  });

  longTest('has its encoding guessed from all that was read', async () => {
    const bytes = table(8.5 * MIB, 'latin1');
    const input = put(newFolder(), 'r.csv', bytes);
    const guess = await guessMapping({ input });
    expect(parseMapping(guess.mapping, 'g.yaml').input).toMatchObject({ encoding: 'windows-1252' });
    expect(guess.notices.join('\n')).not.toMatch(/encoding|UTF-8/);
    const piped = await guessMapping({ input: [bytes] });
    expect(parseMapping(piped.mapping, 'g.yaml').input).toMatchObject({ encoding: 'windows-1252' });
    const damaged = put(
      newFolder(),
      'd.csv',
      table(8.5 * MIB, 'utf8', Buffer.from('1,\xe9,x,2024-01-01,1\n', 'latin1')),
    );
    const kept = await guessMapping({ input: damaged });
    expect(parseMapping(kept.mapping, 'g.yaml').input).not.toHaveProperty('encoding');
  });
});

it('lists of a document are found in the encoding that is stated', async () => {
  const text = '{"first":[{"a":1}],"данные":[{"b":2}]}';
  const input = put(newFolder(), 'r.json', Buffer.from(text, 'utf16le'));
  expect(await findLists(input, { encoding: 'utf-16le' })).toEqual(['first', 'данные']);
  const koi8 = Buffer.concat([
    Buffer.from('{"'),
    Buffer.from([0xc4, 0xc1]),
    Buffer.from('":[{"b":2}]}'),
  ]);
  expect(await findLists(put(newFolder(), 'k.json', koi8), { encoding: 'koi8-r' })).toEqual(['да']);
});
