import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { SourceOptions } from '../../../src/formats/options.js';
import { importDocuments } from '../../../src/index.js';
import { newFolder } from '../../helpers/files.js';
import { startWithMonitoring } from '../../helpers/start-sandbox.js';
import { lineOf } from '../../input/csv-oracle.js';
import { inPieces, type ReadSource, readAll, values } from '../../input/read-all.js';
import { FEEDS, type Feed } from './feeds.js';

const REVIEWS: SourceOptions = { records: 'feed/reviews/review' };

async function readXml(text: string | Buffer, options = REVIEWS): Promise<ReadSource> {
  return await readAll(inPieces(Buffer.from(text as string), 1000), options);
}

const feed = (reviews: string): string => `<feed><reviews>${reviews}</reviews></feed>`;

const problems = ({ records }: ReadSource): string[] =>
  records.flatMap(({ problem }) => problem?.message ?? []);

it('reads an element as an object, its attributes and children as fields', async () => {
  const read = await readXml(
    feed(`<review id="7" xmlns:r="urn:r" r:lang="en">
      <title>Good &amp; <![CDATA[<cheap>]]> &#x263A;</title>
      <r:ratings><overall min="1" max="5">4.4</overall></r:ratings>
      <tag>a</tag><tag>b</tag><tag k="1">c</tag>
      <empty/><nil xsi:nil="true"/>
      <photo><url>1</url></photo><photo><url>2</url></photo>
    </review><review>Only a text</review><review/>`),
  );
  expect(values(read)).toEqual([
    {
      '@id': '7',
      '@lang': 'en',
      title: 'Good & <cheap> ☺',
      ratings: { overall: { '@min': '1', '@max': '5', '#text': '4.4' } },
      tag: ['a', 'b', { '@k': '1', '#text': 'c' }],
      empty: '',
      nil: { '@nil': 'true', '#text': '' },
      photo: [{ url: '1' }, { url: '2' }],
    },
    { '#text': 'Only a text' },
    { '#text': '' },
  ]);
});

it.each(Object.entries(FEEDS))('reads a feed of %s', async (_, { records, reviews, text }) => {
  const file = path.join(newFolder(), 'feed.xml');
  writeFileSync(file, text);
  const read = await readAll(file, { records });
  expect(read.error).toBeUndefined();
  expect(problems(read)).toEqual([]);
  expect(read.records).toHaveLength(reviews);
});

it('gives records the element around them as their parent', async () => {
  const { text, records } = FEEDS['wordpress'] as Feed;
  const lines = [...text.matchAll(/<wp:comment>/g)].map(({ index }) =>
    lineOf(text.slice(0, index)),
  );
  const read = await readXml(text, { records });
  expect(values(read).map((one) => (one as { parent: { title: string } }).parent.title)).toEqual([
    'A weekend at the mill',
    'A weekend at the mill',
    'The new restaurant',
  ]);
  expect(read.records.map(({ line }) => line)).toEqual(lines);
  const plain = await readXml(text, { records: 'rss/channel/item/comment' });
  expect(plain.records.map(({ line }) => line)).toEqual(lines);
  expect(values(plain)[0]).not.toHaveProperty('parent');
});

it('tells no element of another path for a record', async () => {
  const text = `<feed><review>no</review><old><review>no</review></old>
    <reviews><note><review>no</review></note><review><id>1</id></review><reviewer>no</reviewer></reviews>
    <reviews><!-- <review>no</review> --><review><id>2</id></review></reviews></feed>`;
  for (const chunkBytes of [64, 100_000]) {
    expect(values(await readXml(text, { ...REVIEWS, chunkBytes }))).toEqual([
      { id: '1' },
      { id: '2' },
    ]);
  }
});

it('makes a record with a mistake invalid, and reads on', async () => {
  const read = await readXml(
    feed(
      '<review>\n<a>Fish & chips</a>\n</review><review><b>&nbsp;</b></review><review><c>I <3 it</c></review><review><d>1</d></review>',
    ),
  );
  const remedy = 'fix it, for example by writing & as &amp; and < as &lt;, or remove it';
  expect(problems(read)).toEqual([
    `is not well-formed XML: unclosed tag: a, on line 3; ${remedy}`,
    `is not well-formed XML: undefined entity, on line 3; ${remedy}`,
    `is not well-formed XML: disallowed character in tag name, on line 3; ${remedy}`,
  ]);
  expect(values(read)).toEqual([{ d: '1' }]);
});

it('ends early where tags do not match, after what comes before', async () => {
  const read = await readXml(feed('<review>\n<a>1</a></review>\n<review><a>2</review>'));
  expect(values(read)).toEqual([{ a: '1' }]);
  expect(String(read.error)).toMatch(
    /ends early after record 1 .*its tags do not match: it has <\/review> where <\/a> is expected, on line 3.*Fix the document/s,
  );
  const cut = await readXml('<feed><reviews><review><a>1</a></review>\n<review><a>2');
  expect(values(cut)).toEqual([{ a: '1' }]);
  expect(String(cut.error)).toMatch(/it ends before its last closing tag, on line 2/);
  const open = await readXml('<feed><reviews><review><a>1</a></review>\n');
  expect(String(open.error)).toMatch(/it ends before its last closing tag, on line 2/);
});

it('makes a record that is too long invalid, also one with a long text', async () => {
  const long = 'x'.repeat(300_000);
  for (const text of [
    long,
    `<![CDATA[${long}]]>`,
    `<b>${long}</b>\r\n`.repeat(2),
    `<!--${long}-->`,
  ]) {
    const read = await readXml(
      feed(`<review><id>1</id></review><review>${text}</review><review><id>2</id></review>`),
      { ...REVIEWS, maxRecordBytes: 1000, chunkBytes: 500 },
    );
    expect(read.error).toBeUndefined();
    expect(read.records.map(({ problem }) => problem?.kind)).toEqual([
      undefined,
      'too-long',
      undefined,
    ]);
  }
});

it.each([
  [
    'a document type declaration',
    '<!DOCTYPE feed [<!ENTITY a "ha">]>\n<feed/>',
    REVIEWS,
    /can't be read as XML: it has a document type declaration.*, on line 1\. Remove it/,
  ],
  [
    'no records option',
    FEEDS['google']?.text ?? '',
    {},
    /is XML: set records to the path of its records, for example feed\/reviews\/review/,
  ],
  [
    'a wrong path',
    FEEDS['wordpress']?.text ?? '',
    { records: 'rss/item' },
    /has no element rss\/item: set records to .* for example rss\/channel\/item \(or rss\/channel\/item\[\]\/comment\)/,
  ],
])('refuses %s', async (_, text, options, message) => {
  await expect(readXml(text, options)).rejects.toThrow(message);
});

it.each([
  [
    'iso-8859-1',
    Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?>${feed('<review><t>caf\xe9</t></review>')}`,
      'latin1',
    ),
  ],
  [
    'another than declared',
    Buffer.from(
      `<?xml version="1.0" encoding="windows-1251"?>${feed('<review><t>café</t></review>')}`,
    ),
  ],
])('respects the encoding: %s', async (_, bytes) => {
  expect(values(await readXml(bytes))).toEqual([{ t: 'café' }]);
});

it('trusts a declaration where the sample is ASCII, with a notice', async () => {
  const declared = '<?xml version="1.0" encoding="windows-1252"?>';
  const pad = `<review><t>${'x'.repeat(300_000)}</t></review>`;
  const text = declared + feed(`${pad}<review><t>\x80</t></review>`);
  const read = await readXml(Buffer.from(text, 'latin1'));
  expect(values(read)[1]).toEqual({ t: '€' });
  expect(read.source.notices.join()).toMatch(
    /declares windows-1252 and is read as that, but starts with plain ASCII.*--encoding utf-8/,
  );
  const whole = await readXml(declared + feed('<review><t>x</t></review>'));
  expect(whole.source.notices).toEqual([]);
});

it('stops at elements nested without end, and at a tag without end', async () => {
  const deep = readXml(feed(`<review>${'<a>'.repeat(100_000)}`));
  await expect(deep).rejects.toThrow(/nested more than 256 levels deep, on line 1/);
  const tag = await readXml(feed(`<review><id>1</id></review><review a="${'x'.repeat(3_000_000)}`));
  expect(values(tag)).toEqual([{ id: '1' }]);
  expect(String(tag.error)).toMatch(/it has a tag of more than 1048576 bytes/);
});

it('writes rejects that are read again with the same mapping', async () => {
  const { text, records } = FEEDS['bazaarvoice'] as Feed;
  const folder = newFolder();
  const file = path.join(folder, 'feed.xml');
  writeFileSync(file, text.replace('2024-05-03T08:00:00.000-05:00', 'soon'));
  const mapping = {
    profile: 'minimal',
    input: { format: 'xml', records },
    document: {
      sourceId: '{@id}',
      text: '{ReviewText}',
      published: { from: 'SubmissionTime', date: 'iso' },
      tags: ['{parent.Name}'],
    },
  } as const;
  const rejects = path.join(folder, 'rejects.xml');
  const connection = await startWithMonitoring();
  const target = { connection, monitoring: 1, mapping, stateDir: path.join(folder, 'state') };
  const first = await importDocuments({ ...target, input: file, rejects });
  expect(first.counts).toMatchObject({ read: 3, accepted: 2, invalid: 1 });
  const written = readFileSync(rejects, 'utf8');
  expect(written).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Feed .*<\/Feed>\n$/s);
  writeFileSync(rejects, written.replace('soon', '2024-05-03'));
  const second = await importDocuments({ ...target, input: rejects });
  expect(second.counts).toMatchObject({ read: 1, accepted: 1 });
});
