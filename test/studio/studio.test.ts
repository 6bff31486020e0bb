import {
  appendFileSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startStudio } from '../../src/studio/start-studio.js';
import { newFolder } from '../helpers/files.js';
import { MAPPING, openStudio } from './open-studio.js';

const post = { method: 'POST' } as const;
const put_ = { method: 'PUT' } as const;
/** Nothing is stated about how to read the file. */
const SOURCE = { ...post, body: { text: '' } };

describe('starting', () => {
  const commandLine = (): string => '';

  it('says that a port is taken', async () => {
    const { file, port } = await openStudio();
    await expect(startStudio({ file, port, commandLine })).rejects.toThrow(
      `The studio can't listen on port ${port} (EADDRINUSE). Choose a different one with --port`,
    );
  });

  it('says that the file is missing, or no file', async () => {
    const folder = newFolder();
    await expect(startStudio({ file: `${folder}/no.csv`, commandLine })).rejects.toThrow(
      'There is no file',
    );
    await expect(startStudio({ file: folder, commandLine })).rejects.toThrow(
      'is not a regular file',
    );
  });
});

describe('the source', () => {
  it('shows what was detected, and the first rows with their places', async () => {
    const { ask } = await openStudio('id;text\n1;Málaga\n2;"x;y"\n');
    const { json } = await ask('/api/source', SOURCE);
    expect(json).toMatchObject({
      name: 'reviews.csv',
      detected: { format: 'csv', delimiter: ';', encoding: 'utf-8' },
      columns: ['id', 'text'],
      records: 2,
      whole: true,
      notices: [],
    });
    expect(json.rows).toEqual([
      {
        place: expect.objectContaining({ record: 1, line: 2 }),
        record: { id: '1', text: 'Málaga' },
        problem: null,
      },
      {
        place: expect.objectContaining({ record: 2, line: 3 }),
        record: { id: '2', text: 'x;y' },
        problem: null,
      },
    ]);
  });

  it('is shown without what lies too deep, and so are the records', async () => {
    const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`;
    const { ask } = await openStudio(`{"id":"1","text":"Good","deep":${deep}}\n`, 'r.jsonl');
    const text = MAPPING.replace(/ {2}published.*/u, '  published: { value: 2026-01-31 }');
    for (const [door, list] of [
      ['source', 'rows'],
      ['records', 'records'],
    ] as const) {
      const { status, json } = await ask(`/api/${door}`, { ...post, body: { text } });
      expect(status).toBe(200);
      expect(json[list][0].record).toMatchObject({ id: '1', text: 'Good' });
      expect(JSON.stringify(json[list][0].record)).toMatch(/(\{"a":){5,12}"…"/u);
    }
  });

  it('reads only the start of a large file', async () => {
    const { ask, file } = await openStudio('id,text,date\n1,Good,2026-01-31\n');
    const line = `${'2,Good and clean and near the sea,2026-01-31\n'.repeat(25_000)}`;
    const descriptor = openSync(file, 'a');
    for (let piece = 0; piece < 5; piece += 1) writeSync(descriptor, line);
    // Its size is 5 GB, of which hardly anything lies on the disk.
    truncateSync(file, 5_000_000_000);
    const started = performance.now();
    const { json } = await ask('/api/source', SOURCE);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(json).toMatchObject({ bytes: 5_000_000_000, whole: false });
    expect(json.records).toBeGreaterThan(1_999);
  });
});

describe('a file that changes while it is open', () => {
  it('is read again, and has another stamp', async () => {
    const { ask, file } = await openStudio();
    const sampled = async (): Promise<number> =>
      (await ask('/api/evaluate', { ...post, body: { text: MAPPING } })).json.health.sampled;
    const { stamp } = (await ask('/api/stamp')).json;
    expect(await sampled()).toBe(3);
    appendFileSync(file, '4,New,2026-02-02\n');
    expect((await ask('/api/stamp')).json.stamp).not.toBe(stamp);
    expect(await sampled()).toBe(4);
    rmSync(file);
    expect(await ask('/api/stamp')).toMatchObject({
      status: 410,
      json: { message: expect.stringMatching(/no longer/) },
    });
  });
});

describe('the records of the sample', () => {
  it('are shown beside documents, as the command does', async () => {
    const { ask } = await openStudio();
    const { json } = await ask('/api/records', { ...post, body: { text: MAPPING } });
    expect(json).toMatchObject({ matching: 3 });
    expect(json.records[0]).toMatchObject({
      place: { record: 1, line: 2 },
      record: { id: '1', text: 'Good, clean' },
      document: { sourceId: '1', text: 'Good, clean', published: '2026-01-31T00:00:00.000Z' },
      problems: [],
    });
    expect(json.records[1].problems[0].field).toBe('published');
  });

  it('come in pages, are searched, and filtered by outcome', async () => {
    const { ask } = await openStudio();
    const numbers = async (more: object): Promise<unknown> => {
      const { json } = await ask('/api/records', { ...post, body: { text: MAPPING, ...more } });
      return [
        json.records.map((one: { place: { record: number } }) => one.place.record),
        json.matching,
      ];
    };
    expect(await numbers({ from: 1, limit: 1 })).toEqual([[2], 3]);
    expect(await numbers({ from: 2, limit: 1 })).toEqual([[3], 3]);
    expect(await numbers({ only: 'invalid' })).toEqual([[2, 3], 2]);
    expect(await numbers({ search: 'NOISY' })).toEqual([[2], 1]);
  });

  it('are refused with all mistakes of a mapping and their places', async () => {
    const { ask } = await openStudio();
    const text = MAPPING.replace('document:', 'documents:');
    const answer = await ask('/api/records', { ...post, body: { text } });
    expect(answer.status).toBe(422);
    expect(answer.json.mistakes).toContainEqual(
      expect.objectContaining({ offset: text.indexOf('documents'), line: 4 }),
    );
  });
});

describe('a change', () => {
  it('is counted by the documents in which a field has another value', async () => {
    const { ask } = await openStudio();
    const changed = async (text: string, before: string) =>
      (await ask('/api/evaluate', { ...post, body: { text, before } })).json.changed;
    const other = MAPPING.replace('value: en', 'value: de');
    expect(await changed(other, MAPPING)).toEqual({ language: 3 });
    expect(await changed(MAPPING.replace('{text}', '{text}!'), MAPPING)).toEqual({ text: 2 });
    expect(await changed(`# mine\n${MAPPING}`, MAPPING)).toEqual({});
    expect(await changed(other, `input: { delimiter: ";" }\n${MAPPING}`)).toEqual({});
    expect(await changed(other, 'a: [')).toEqual({});
  });
});

describe('the values of a column', () => {
  it('come with the records that a condition leaves out, without those left out already', async () => {
    const { ask } = await openStudio('id,text,date\n1,a, x \n2,b,x\n3,c,\n4,d,x\n');
    const values = async (text: string, column: string) =>
      (await ask('/api/values', { ...post, body: { text, column } })).json.values;
    expect(await values(MAPPING, 'date')).toEqual([
      { value: 'x', records: 3 },
      { value: '', records: 1 },
    ]);
    const skip = 'skip: [{ from: id, in: [1, 3] }]';
    expect(await values(`${MAPPING}${skip}`, 'date')).toEqual([{ value: 'x', records: 2 }]);
  });
});

describe('trying a rule', () => {
  const rule = { from: 'stars', number: '.' };

  async function tried(profile: string, field: readonly string[], of: object = rule) {
    const rows = ['5', 'many', '', 'many', 'few', '3'].map((stars, n) => `${n},${stars},good`);
    const { ask } = await openStudio(`id,stars,text\n${rows.join('\n')}\n`);
    const text = `profile: ${profile}\ndocument: { text: "{text}" }\n`;
    const body = { text, path: ['document', ...field], rule: of };
    return (await ask('/api/try', { method: 'POST', body })).json;
  }

  it('counts the values that it can not read, the most frequent first', async () => {
    const unread = [
      { value: 'many', records: 2 },
      { value: 'few', records: 1 },
    ];
    expect(await tried('minimal', ['metrics', 'score'])).toMatchObject({ unreadable: 3, unread });
    const words = { from: 'stars', values: { 5: 'B', few: '' }, unlisted: 'invalid' };
    const unlisted = [
      { value: 'many', records: 2 },
      { value: '3', records: 1 },
    ];
    expect(await tried('minimal', ['sentiment'], words)).toMatchObject({ unread: unlisted });
  });
});

describe('saving', () => {
  it('makes a new file, and replaces what the page has seen', async () => {
    const { ask, mapping } = await openStudio();
    expect((await ask('/api/mapping')).json).toMatchObject({
      name: 'reviews.mapping.yaml',
      saved: null,
    });
    const made = await ask('/api/mapping', {
      ...put_,
      body: { text: MAPPING },
      headers: { 'if-none-match': '*' },
    });
    const text = `${MAPPING}# and more\n`;
    const headers = { 'if-match': made.json.etag };
    expect(await ask('/api/mapping', { ...put_, body: { text }, headers })).toMatchObject({
      status: 200,
    });
    expect(readFileSync(mapping, 'utf8')).toBe(text);
    expect((await ask('/api/mapping')).json.saved.text).toBe(text);
  });

  it('lets one of many saves at once through', async () => {
    const { ask, mapping } = await openStudio();
    writeFileSync(mapping, MAPPING);
    const { etag } = (await ask('/api/mapping')).json.saved;
    const saves = Array.from({ length: 20 }, (_, at) =>
      ask('/api/mapping', { ...put_, body: { text: `# ${at}\n` }, headers: { 'if-match': etag } }),
    );
    const statuses = (await Promise.all(saves)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(412)]);
    expect(readFileSync(mapping, 'utf8')).toBe(`# ${statuses.indexOf(200)}\n`);
  });

  it('does not write over a file that was made meanwhile, nor anew one that has gone', async () => {
    const { ask, mapping } = await openStudio();
    writeFileSync(mapping, '# mine\n');
    const isNew = { 'if-none-match': '*' };
    expect(
      await ask('/api/mapping', { ...put_, body: { text: 'x' }, headers: isNew }),
    ).toMatchObject({ status: 412 });
    const { etag } = (await ask('/api/mapping')).json.saved;
    rmSync(mapping);
    const gone = await ask('/api/mapping', {
      ...put_,
      body: { text: 'x' },
      headers: { 'if-match': etag },
    });
    expect(gone).toMatchObject({
      status: 412,
      json: { message: expect.stringMatching(/no longer there/), saved: null },
    });
  });
});

describe('a check of the whole file', () => {
  it('tells how far it is, and gives the report of the command', async () => {
    const { lines } = await openStudio();
    const told = await lines('/api/validate', { text: MAPPING });
    expect(told.at(-1)).toMatchObject({
      type: 'report',
      report: { counts: { read: 3, invalid: 2, unsent: 1 }, exitCode: 1, target: null },
    });
    expect(told.some(({ type }) => type === 'progress')).toBe(true);
  });

  it('gives the report as a page for a frame, from which nothing can be reached', async () => {
    const { ask, lines } = await openStudio();
    const end = (await lines('/api/validate', { text: MAPPING })).at(-1);
    const place = end?.type === 'report' ? end.page : '';
    const { status, headers, text } = await ask(place, { headers: { authorization: undefined } });
    expect(status).toBe(200);
    expect(text).toMatch(/^<!DOCTYPE html>/i);
    expect(headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts; default-src 'none'/,
    );
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(await ask('/report/none')).toMatchObject({ status: 404 });
  });

  it('is cancelled when the browser goes away, and a different one can begin', async () => {
    const { origin, token, ask, lines, file } = await openStudio(
      `id,text,date\n${'7,Good,2026-01-31\n'.repeat(1_000_000)}`,
    );
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const outgoing = request(`${origin}/api/validate`, { ...post, headers });
    outgoing.on('error', () => {});
    const first = new Promise<void>((resolve) =>
      outgoing.on('response', (incoming) => {
        incoming.on('error', () => {});
        incoming.once('data', () => resolve());
      }),
    );
    outgoing.end(JSON.stringify({ text: MAPPING }));
    await first;
    expect(await ask('/api/rehearse', { ...post, body: { text: MAPPING } })).toMatchObject({
      status: 409,
      json: { message: expect.stringMatching(/Another check, rehearsal or import is running/) },
    });
    outgoing.destroy();
    writeFileSync(file, 'id,text,date\n1,Good,2026-01-31\n');
    for (let round = 0; round < 100; round += 1) {
      const answer = await ask('/api/validate', { ...post, body: { text: MAPPING } });
      if (answer.status === 200) break;
      await wait(100);
    }
    expect((await lines('/api/validate', { text: MAPPING })).at(-1)).toMatchObject({
      type: 'report',
      report: { counts: { read: 1 } },
    });
  });
});

describe('a rehearsal', () => {
  it('imports into a sandbox of its own', async () => {
    const { lines } = await openStudio();
    const told = await lines('/api/rehearse', { text: MAPPING });
    expect(told.at(-1)).toMatchObject({
      type: 'report',
      report: { counts: { read: 3, accepted: 1, invalid: 2 }, target: { monitoring: 1 } },
    });
    expect(told).toContainEqual({
      type: 'notice',
      message: 'The mapping leaves 1 question open: “is it unique” (line 5).',
    });
  });
});
