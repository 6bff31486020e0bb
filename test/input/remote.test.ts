import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openSources } from '../../src/formats/open-sources.js';
import { newFolder, put } from '../helpers/files.js';
import { startServer, type TestServer } from '../helpers/http-server.js';
import { readAll, readSource, values } from './read-all.js';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server, and the address of a file on it. */
async function serve(
  answer: Answering,
): Promise<{ at: (path: string) => string; server: TestServer }> {
  const server = await startServer(answer);
  return { server, at: (path) => new URL(path, server.baseUrl).href };
}

const TABLE = `id\n${Array.from({ length: 100_000 }, (_, row) => `r${row}\n`).join('')}`;

/** Gives a file, but breaks the connection at a byte. */
function breaking(content: Buffer, at: number): Answering {
  return (_, response) => {
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, at), () => setTimeout(() => response.destroy(), 20));
  };
}

describe('an address', () => {
  it('is fetched once, and shown without its query', async () => {
    const { server, at } = await serve((_, response) => void response.end('id\n1\n'));
    const read = await readAll(at('/reviews.csv?signature=secret#part'));
    expect(values(read)).toEqual([['1']]);
    expect(read.source.name).toBe(at('/reviews.csv'));
    expect(read.source).toMatchObject({ file: null, size: 5 });
    expect(read.source.bytesRead()).toBe(5);
    expect(server.requests.map(({ url }) => url)).toEqual(['/reviews.csv?signature=secret']);
  });

  it('may stand beside paths; those that differ only in their query are numbered', async () => {
    const { at } = await serve((request, response) => void response.end(`id\n${request.url}\n`));
    const sources = await openSources([
      at('/a.csv?page=1'),
      at('/a.csv?page=2'),
      at('/a.csv?page=1'),
    ]);
    expect(sources.map(({ name }) => name)).toEqual([at('/a.csv'), `${at('/a.csv')} (2)`]);
    expect(sources[0]?.notices).toEqual([expect.stringContaining('more than once')]);
    const read = [];
    for (const source of sources) read.push(...values(await readSource(source)));
    expect(read).toEqual([['/a.csv?page=1'], ['/a.csv?page=2']]);
  });

  it('is asked with the headers of a file, and no other origin is', async () => {
    const given: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      given.push(request.headers.authorization);
      response.end('id\n2\n');
    });
    const { at } = await serve((request, response) => {
      if (request.headers.authorization !== 'Bearer secret: 1') response.writeHead(401).end();
      else if (request.url === '/there') response.writeHead(302, { location: '/here' }).end();
      else if (request.url === '/away') response.writeHead(302, { location: other.at('/') }).end();
      else response.end('id\n1\n');
    });
    const inputHeaderFile = put(
      newFolder(),
      'h',
      'Authorization: Bearer secret: 1\r\n\r\nX-A: b\r\n',
    );
    for (const path of ['/here', '/there']) {
      expect(values(await readAll(at(path), { inputHeaderFile }))).toEqual([['1']]);
    }
    expect(values(await readAll(at('/away'), { inputHeaderFile }))).toEqual([['2']]);
    expect(given).toEqual([undefined]);
    await expect(openSources(at('/here'))).rejects.toThrow(/401.*--input-header-file/);
    await expect(openSources([at('/here'), other.at('/')], { inputHeaderFile })).rejects.toThrow(
      /would be sent to http:.* and http:.*: import/,
    );
    expect(given).toHaveLength(1);
  });

  it.each([
    ['x: 1\nBearer secret', /line 2 is not a header/],
    ['Range: secret', /line 1 sets range, which docferry sets itself/],
  ])(
    'is not asked with headers that make no sense, which are not shown: %j',
    async (text, message) => {
      const inputHeaderFile = put(newFolder(), 'h', text);
      const { at, server } = await serve((_, response) => void response.end('id\n1\n'));
      const failed = await openSources(at('/'), { inputHeaderFile }).catch((error: Error) => error);
      expect(failed).toMatchObject({
        name: 'OptionError',
        message: expect.stringMatching(message),
      });
      expect((failed as Error).message).not.toContain('secret');
      expect(server.requests).toEqual([]);
    },
  );

  it('may lead to others, a few times', async () => {
    const { at } = await serve((request, response) => {
      const hops = Number(request.url?.slice(1));
      if (hops === 0) response.end('id\n1\n');
      else response.writeHead(302, { location: `/${hops - 1}` }).end();
    });
    expect(values(await readAll(at('/5')))).toEqual([['1']]);
    await expect(openSources(at('/6'))).rejects.toThrow(/more than 5 times/);
  });

  it.each<[string, RegExp]>([
    ['http://example.com/a.csv', /does not use HTTPS/],
    ['https://user:key@example.com/a.csv', /user name or a password/],
    ['ftp://example.com/a.csv', /only https: addresses/],
    ['file:///etc/passwd', /give the path of the file/],
  ])('may not lead to %s, nor be it', async (target, message) => {
    const { at } = await serve(
      (_, response) => void response.writeHead(301, { location: target }).end(),
    );
    for (const input of [target, at('/')]) {
      const opened = openSources(input);
      await expect(opened).rejects.toThrow(message);
      await expect(opened).rejects.toMatchObject({ name: 'SourceError' });
      await expect(opened).rejects.not.toThrow(/user:key/);
    }
  });

  it.each<[number, RegExp]>([
    [403, /status 403.*link may have expired/],
    [404, /status 404.*Check the link/],
    [500, /status 500.*Try again later/],
  ])('that answers with %i is refused', async (status, message) => {
    const { at } = await serve((_, response) => void response.writeHead(status).end());
    await expect(openSources(at('/a.csv'))).rejects.toThrow(message);
  });

  it('that gives a web page, or an unknown compression, is refused', async () => {
    const { at } = await serve((request, response) => {
      if (request.url === '/br') response.setHeader('content-encoding', 'br');
      response.end('<!doctype html><html>Log in</html>');
    });
    await expect(openSources(at('/'))).rejects.toThrow(/web page/);
    await expect(openSources(at('/br'))).rejects.toThrow(/\(br\): download the file/);
  });
});

describe('a connection that breaks', () => {
  const content = Buffer.from(TABLE);

  it('ends the reading', async () => {
    const { at, server } = await serve(breaking(content, 300_000));
    const read = await readAll(at('/a.csv'));
    expect(read.records.length).toBeGreaterThan(40_000);
    expect(read.error).toMatchObject({
      name: 'SourceBrokenError',
      message: expect.stringMatching(
        /the connection broke after 300000 bytes .*Run the import again, or download the file first/,
      ),
    });
    expect(server.requests).toHaveLength(1);
  });
});
