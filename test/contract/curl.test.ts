import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { HAS } from '../helpers/needs.js';
import { captureFilterWorld } from './filter-world.js';
import { keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

/** The program that a machine with Node may lack. */
const run = promisify(execFile);
const service = serviceWith(captureFilterWorld);

interface Answered {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the cases look into answers of every shape.
  readonly body: any;
}

/** Runs curl with `--user`, as the reference allows. */
function curl(path: string, ...args: readonly string[]): Promise<Answered> {
  const { username, apiKey } = service.sandbox;
  return bareCurl(path, '--user', `${username}:${apiKey}`, ...args);
}

/** Runs curl without credentials of its own; the path starts with the version. */
async function bareCurl(path: string, ...args: readonly string[]): Promise<Answered> {
  const address = service.client.baseUrl.replace('/5.0', path);
  const settings = ['--silent', '--show-error', '--noproxy', '*', '--write-out', '\n%{http_code}'];
  const { stdout } = await run('curl', [...settings, ...args, address]);
  const end = stdout.lastIndexOf('\n');
  const text = stdout.slice(0, end);
  return { status: Number(stdout.slice(end)), text, body: JSON.parse(text) };
}

const JSON_TYPE = ['--header', 'Content-Type: application/json'];
const WINDOW = 'start=2024-05-01+00%3A00&end=2024-05-31+00%3A00';
const FIELDS = ['monitorings=1,2', 'start=2024-05-01 00:00', 'end=2024-05-31 00:00'];
const urlencoded = (...fields: readonly string[]): string[] =>
  fields.flatMap((field) => ['--data-urlencode', field]);

describe.skipIf(!HAS.curl)('curl / credentials', () => {
  rule('curl.header', 'the Basic header, made by hand', async () => {
    const { username, apiKey } = service.sandbox;
    const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
    const header = ['--header', `Authorization: Basic ${credentials}`];
    const { status, body } = await bareCurl('/5.0/monitorings', ...header);
    expect([status, body.monitorings.length]).toEqual([200, expect.any(Number)]);
  });

  rule('curl.user', '--user is the same', async () => {
    await curl('/5.0/monitorings');
    const { username, apiKey } = service.sandbox;
    const credentials = Buffer.from(`${username}:${apiKey}`).toString('base64');
    const [{ headers, status } = { headers: {}, status: 0 }] = service.exchanges;
    expect([headers.authorization, status]).toEqual([`Basic ${credentials}`, 200]);
  });

  rule('curl.unauthorized', 'wrong ones get the error object', async () => {
    const refused = await bareCurl('/5.0/monitorings', '--user', 'ana@example.com:wrong');
    expect(refused.body).toEqual({ errors: [{ message: expect.stringMatching(/authorization/) }] });
    expect((await bareCurl('/5.0/monitorings')).body.errors).toHaveLength(1);
  });
});

describe.skipIf(!HAS.curl)('curl / monitorings', () => {
  const monitoring = {
    title: "L'Hôtel",
    status: 'paused',
    searches: ['a', 'b', 'c', 'd'].map((query) => ({ source: 'TWT', query, language: 'fr' })),
  };
  const create = async () =>
    (await curl('/5.0/monitorings', ...JSON_TYPE, '--data', JSON.stringify(monitoring))).body;

  rule('curl.create', 'a JSON body creates one', async () => {
    const made = await create();
    expect(made).toMatchObject(monitoring);
    expect((await curl(`/5.0/monitorings/${made.id}`)).body).toEqual(made);
  });

  rule('curl.title', 'a JSON body renames it', async () => {
    const { id } = await create();
    const args = [...JSON_TYPE, '--request', 'POST', '--data', '{"title":"Another"}'];
    const renamed = await curl(`/5.0/monitorings/${id}/title`, ...args);
    expect([renamed.status, renamed.body.title]).toEqual([200, 'Another']);
  });

  rule('curl.searches', 'a JSON body adds searches', async () => {
    const { id } = await create();
    const data = '{"searches":[{"source":"RSS","query":"https://news.example.com/feed"}]}';
    const grown = await curl(`/5.0/monitorings/${id}/searches`, ...JSON_TYPE, '--data', data);
    expect(grown.body.searches).toHaveLength(5);
  });

  rule('curl.delete', 'DELETE takes several ids, with commas or %2C between', async () => {
    const { id, searches } = await create();
    const [a, b, c, d] = searches.map((search: { id: number }) => search.id);
    const path = `/5.0/monitorings/${id}/searches`;
    const left = await curl(`${path}/${a},${c}`, '--request', 'DELETE');
    expect([left.status, left.body.searches.length]).toEqual([200, 2]);
    const one = await curl(`${path}/${b}`, '--request', 'DELETE');
    expect(one.body.searches).toMatchObject([{ id: d, query: 'd' }]);
    const other = await create();
    const both = `${other.searches[0].id}%2C${other.searches[1].id}`;
    const rest = await curl(`/5.0/monitorings/${other.id}/searches/${both}`, '-X', 'DELETE');
    expect(rest.body.searches).toHaveLength(2);
  });

  rule('curl.import', 'a JSON body imports documents', async () => {
    const { id } = await create();
    const documents = [{ source: 'RVW', sourceId: 'r-1', text: 'Très bien' }];
    const args = [...JSON_TYPE, '--data-binary', JSON.stringify({ documents })];
    const answer = await curl(`/5.0/monitorings/${id}/documents`, ...args);
    expect(answer.text).toBe('{"accepted":true,"documents":1}');
  });
});

describe.skipIf(!HAS.curl)('curl / filters', () => {
  rule('curl.data', '--data with %2C and +', async () => {
    const data = `monitorings=1%2C2&${WINDOW}&sources=FCP%2CNTC&query=room+service`;
    const found = await curl('/5.0/documents', '--data', data);
    expect([keysOf(found.body.documents), found.body.total]).toEqual([['b'], 1]);
    const [asked] = service.exchanges;
    expect(asked).toMatchObject({ method: 'POST', body: data });
    expect(asked!.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });

  rule('curl.data-urlencode', '--data-urlencode, field by field', async () => {
    const fields = [...FIELDS, 'query=café AND "room service"', 'languages=en,es'];
    const found = await curl('/5.0/documents', ...urlencoded(...fields));
    expect(keysOf(found.body.documents)).toEqual(['b']);
  });

  rule('curl.get', 'GET with the same parameters in the address', async () => {
    const parameters = `monitorings=1%2C2&${WINDOW}&languages=en%2Ccs`;
    const found = await curl(`/5.0/documents?${parameters}`);
    expect(keysOf(found.body.documents)).toEqual(['g', 'b']);
    const posted = await curl('/5.0/documents', '--data', parameters);
    expect(posted.text).toBe(found.text);
  });

  rule('curl.get-urlencode', '--get puts encoded fields into the address', async () => {
    const found = await curl('/5.0/documents', '--get', ...urlencoded(...FIELDS, 'offset=5'));
    expect(keysOf(found.body.documents)).toEqual(['b', 'a']);
    expect(service.exchanges[0]).toMatchObject({ method: 'GET', body: '' });
  });

  rule('curl.pretty', 'the bare parameter pretty formats what comes', async () => {
    const pretty = await curl('/5.0/documents?pretty', '--data', `monitorings=1&${WINDOW}`);
    expect(pretty.text).toMatch(/^\{\n {2}"documents": \[\n/);
    const listed = await curl('/5.0/monitorings?pretty');
    expect(listed.text).toMatch(/^\{\n {2}"monitorings": \[\n/);
    expect((await curl('/5.0/monitorings')).text).not.toContain('\n');
  });

  rule('curl.ranking', 'docRanking with its viewSource', async () => {
    const data = `monitorings=1&${WINDOW}&viewSource=TWT&docRanking=likes`;
    expect(keysOf((await curl('/5.0/documents', '--data', data)).body.documents)).toEqual(['a']);
    const refused = await curl('/5.0/documents', '--data', data.replace('likes', 'comments'));
    expect(refused.body.errors).toHaveLength(1);
  });
});

describe.skipIf(!HAS.curl)('curl / the other calls', () => {
  rule('curl.feed', 'the feed, and its cursor', async () => {
    const first = await curl('/5.0/documents/feed', '--data', 'monitorings=1%2C2');
    expect(keysOf(first.body.documents).toSorted().join('')).toBe('abcdefg');
    const cursor = `cursor=${first.body.nextCursor}`;
    const next = await curl('/5.0/documents/feed', '--data', `monitorings=1%2C2&${cursor}`);
    expect(next.body).toEqual({ ...first.body, documents: [], remaining: 0 });
  });

  rule('curl.context', 'a context, without a body and with an offset', async () => {
    const found = await curl('/5.0/documents', '--data', `monitorings=1&${WINDOW}`);
    const path = `/5.0/documents/${found.body.documents[0].id}/context`;
    const whole = await curl(path, '--request', 'POST');
    expect(whole.body).toMatchObject({ documents: [{ parentId: null }], total: 1, offset: 0 });
    expect((await curl(path, '--data', 'offset=2')).body).toMatchObject({ documents: [] });
  });

  rule('curl.figures', 'authors, indicators and chart', async () => {
    const data = `monitorings=1&${WINDOW}`;
    const authors = await curl('/5.0/authors', '--data', `${data}&offset=1`);
    expect(authors.body).toMatchObject({ total: 4, offset: 1, count: 3 });
    const indicators = await curl('/5.0/indicators', '--data', data);
    expect(indicators.body.indicators[0]).toMatchObject({ name: 'posts', currentValue: 4 });
    expect((await curl('/5.0/chart', '--data', data)).status).toBe(200);
  });

  rule('curl.legacy', 'version 4.0, by GET', async () => {
    expect((await curl('/4.0/monitorings')).body.monitorings[0]).toEqual({
      ...{ id: 1, title: expect.any(String) },
    });
    const documents = await curl('/4.0/documents', '--get', ...urlencoded(...FIELDS));
    expect(documents.body.data).toHaveLength(7);
    expect((await curl(`/4.0/authors?monitorings=1&${WINDOW}`)).body).toMatchObject({ count: 4 });
    const indicators = await curl(`/4.0/indicators?monitorings=1&${WINDOW}`);
    expect(indicators.body.indicators).toHaveLength(7);
  });
});
