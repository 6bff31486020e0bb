import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import type { Input, Source } from '../../src/model/source.js';
import { HAS } from '../helpers/needs.js';
import { asOrdinaryUser } from '../helpers/ordinary-user.js';
import { readAll, values } from './read-all.js';

let folder: string;
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docferry-inputs-'));
  await writeFile(at('b.csv'), 'id\n2\n');
  await writeFile(at('a.csv'), 'id\n1\n');
  await writeFile(at('[x].csv'), 'id\n3\n');
  await writeFile(at('reviews.jsonl'), '');
  await writeFile(at('nothing.csv'), '');
  await mkdir(at('more'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('paths', () => {
  it('may be globs; matches are sorted, and a path that exists is no glob', async () => {
    const names = async (input: Input): Promise<string[]> =>
      (await openSources(input)).map(({ name }) => name);
    expect(await names(at('?.csv'))).toEqual([at('a.csv'), at('b.csv')]);
    expect(await names([at('b.csv'), at('a.csv')])).toEqual([at('b.csv'), at('a.csv')]);
    expect(await names(at('[x].csv'))).toEqual([at('[x].csv')]);
  });

  it('that name a file twice read it once, and say so', async () => {
    const sources = await openSources([at('a.csv'), at('?.csv')]);
    expect(sources.map(({ name, input }) => [name, input])).toEqual([
      [at('a.csv'), 0],
      [at('b.csv'), 1],
    ]);
    expect(sources[0]?.notices).toEqual([expect.stringContaining('more than once')]);
  });

  it.each<[string, RegExp]>([
    ['a.cvs', /does not exist: did you mean .*a\.csv\?/],
    ['quite-another-name', /does not exist: check the path/],
    ['*.tsv', /matches no file/],
    ['more', /is a folder: name the files in it, for example ".*more\/\*\.csv"/],
    ['nothing.csv', /is empty/],
  ])('%s: says what is wrong', async (name, message) => {
    const opened = openSources(at(name));
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.toMatchObject({ name: 'SourceError' });
  });

  it('that may not be read say so', async () => {
    await writeFile(at('secret.csv'), 'id\n1\n');
    await chmod(at('secret.csv'), 0);
    await chmod(path.dirname(at('secret.csv')), 0o755);
    const opened = asOrdinaryUser(() => openSources(at('secret.csv')));
    // What may be read is asked of the real user, who may be root, and opening of the effective one.
    await expect(opened).rejects.toThrow(/can't be read \((?:permission denied|EACCES)\)/);
  });

  it.skipIf(!HAS.linux)('leave no file open', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    const [source] = await openSources(at('a.csv'));
    for await (const _ of (source as Source).chunks()) break;
    expect((await readdir('/proc/self/fd')).length).toBe(before);
  });

  it.skipIf(process.platform === 'win32')('may be named pipes', async () => {
    spawnSync('mkfifo', [at('pipe')]);
    const written = writeFile(at('pipe'), 'id\n1\n2\n');
    const read = await readAll(at('pipe'));
    await written;
    expect(values(read)).toEqual([['1'], ['2']]);
    expect(read.source.size).toBeNull();
  });
});

function bufferOf(text: string): ArrayBuffer {
  return new Uint8Array(Buffer.from(text)).buffer;
}

describe('streams and iterables', () => {
  const rows = [{ id: 1 }, { id: 2 }];

  it.each<[string, () => Input, string, unknown[]]>([
    [
      'a Node stream of bytes',
      () => Readable.from([Buffer.from('id\n1'), Buffer.from('2\n')], { objectMode: false }),
      'stream',
      [['12']],
    ],
    ['a Node stream of text', () => Readable.from(['id\n1', '2\n']), 'stream', [['12']]],
    ['a Node stream of objects', () => Readable.from(rows), 'records', rows],
    [
      'a web stream of bytes',
      () => new Blob(['id\n12\n']).stream() as ReadableStream,
      'stream',
      [['12']],
    ],
    ['bytes', () => Buffer.from('id\n12\n'), 'stream', [['12']]],
    [
      'pieces that are ArrayBuffers',
      () => [bufferOf('id\n1'), bufferOf('2\n')],
      'stream',
      [['12']],
    ],
  ])('%s', async (_, input, name, expected) => {
    const read = await readAll(input());
    expect(read.source.name).toBe(name);
    expect(values(read)).toEqual(expected);
  });

  it('that fail give what came before, then say after which record', async () => {
    async function* failing(): AsyncGenerator<object> {
      yield* rows;
      throw new Error('the database went away');
    }
    const read = await readAll(failing());
    expect(values(read)).toEqual(rows);
    expect(String(read.error)).toMatch(
      /The input "records" ends early after record 2: .*the database went away.*give the whole input/,
    );
  });

  it.each([7, null, { a: 1 }, ['a.csv', { a: 1 }]])('are not %j', async (input) => {
    await expect(openSources(input as unknown as Input)).rejects.toMatchObject({
      name: 'OptionError',
    });
  });

  it('are closed when the reader stops early', async () => {
    let closed = 0;
    async function* endless(item: () => unknown): AsyncGenerator<unknown> {
      try {
        for (;;) yield item();
      } finally {
        closed += 1;
      }
    }
    for (const item of [() => ({ a: 1 }), () => Buffer.from('id\n1\n'.repeat(1000))]) {
      const [source] = await openSources(endless(item));
      for await (const _ of (source as Source).chunks()) break;
    }
    expect(closed).toBe(2);
  });

  it('release everything at once when aborted, even if nothing comes', async () => {
    for (const first of [{ a: 1 }, Buffer.from('id\n1\n'.repeat(100_000))]) {
      const stream = new Readable({ objectMode: true, read() {} });
      stream.push(first);
      const [source] = await openSources(stream);
      const abort = new AbortController();
      const reading = (async () => {
        for await (const _ of (source as Source).chunks(abort.signal));
      })();
      setImmediate(() => abort.abort(new Error('enough')));
      await expect(reading).rejects.toThrow('enough');
      expect(stream.destroyed).toBe(true);
    }
  });
});

describe('stdin', () => {
  it('is read from a pipe, once', async () => {
    await expect(openSources(['-', '-'])).rejects.toThrow(/given twice/);
  });
});
