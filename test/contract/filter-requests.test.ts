import { describe, expect } from 'vitest';
import { basic } from '../helpers/start-sandbox.js';
import { captureFilterWorld } from './filter-world.js';
import { ALWAYS, expectRefusal, keysOf, rule } from './rule.js';
import { serviceWith } from './service.js';

const service = serviceWith(captureFilterWorld);
const everything = { monitorings: [1, 2], ...ALWAYS } as const;

const FILTERING = ['/5.0/documents', '/5.0/authors', '/5.0/indicators', '/5.0/chart'];

describe('filters / required', () => {
  for (const path of FILTERING) {
    for (const left of ['monitorings', 'start', 'end'] as const) {
      rule('filters.required', `${path} is refused without ${left}`, async () => {
        const { [left]: _, ...form } = { monitorings: '1', ...ALWAYS };
        expectRefusal(await service.call('POST', path, { form }));
        expectRefusal(await service.call('GET', `${path}?${new URLSearchParams(form)}`));
      });
    }
  }
});

describe('filters / format', () => {
  const wrong: Readonly<Record<string, readonly string[]>> = {
    monitorings: ['', 'all', '1;2', '-1', '1,', '1, 2'],
    start: ['2024-05-01', '2024-05-01T00:00', '05/01/2024 10:00', '2024-05-01 24:01'],
    end: ['2024-05-01', '10:00', '2023-02-29 00:00', '2024-05-01 23:60', '2024-05-01 10:00 PM'],
    sources: ['', 'TWT,XYZ', 'twt'],
    viewSource: ['TWT,NTC', 'XYZ'],
    sentiments: ['A', 'B;N'],
    languages: ['it', 'spanish'],
    onlyVerifiedAuthors: ['yes'],
    onlyWithPersonalUrl: ['1'],
    colour: ['red'],
  };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      rule('filters.format', `${name}=${value} is refused`, async () => {
        const form = { monitorings: '1', ...ALWAYS, [name]: value };
        const refused = await service.call('POST', '/5.0/documents', { form });
        expectRefusal(refused);
        expect(refused.body.errors[0].message).toMatch(name);
      });
    }
  }
});

describe('filters / requests', () => {
  rule('filters.form', 'the client sends a form, its values percent-encoded', async () => {
    const query = { ...everything, sources: ['TWT', 'NTC'], query: 'café A&B "room"' } as const;
    await service.client.documents.page(query);
    const [asked] = service.exchanges;
    expect(asked!.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(asked!.body).toBe(
      'monitorings=1%2C2&start=2000-01-01+00%3A00&end=2099-12-31+23%3A59' +
        '&sources=TWT%2CNTC&query=caf%C3%A9+A%26B+%22room%22',
    );
  });

  rule('filters.any-size', 'a POST takes filters of any size', async () => {
    const authors = Array.from({ length: 50_000 }, (_, at) => at + 1_000_000);
    const ana = (await service.client.documents.page(everything)).documents.at(-1);
    const query = { ...everything, authors: [...authors, ana!.author.id] };
    expect(keysOf((await service.client.documents.page(query)).documents)).toEqual(['a']);
  });

  rule('filters.get-limit', 'a GET is limited, and too long a one is an error object', async () => {
    const { baseUrl, username, apiKey } = service.sandbox;
    const address = `${baseUrl}/documents?monitorings=${'1,'.repeat(20_000)}1`;
    const headers = { authorization: basic(username, apiKey) };
    const response = await fetch(address, { headers });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toEqual({ errors: [{ message: expect.any(String) }] });
  });
});

const WINDOW = 'start=2024-05-01+00%3A00&end=2024-05-31+00%3A00';

/** How questions can be written, and what they find. */
const ENCODINGS = [
  {
    ...{ id: 'filters.encoding.comma', says: 'a comma as %2C' },
    sent: `monitorings=1%2C2&${WINDOW}&languages=en%2Ccs`,
    found: 'g b',
  },
  {
    ...{ id: 'filters.encoding.plus', says: 'a space as +' },
    ...{ sent: `monitorings=1&${WINDOW}&query=room+service`, found: 'b' },
  },
  {
    ...{ id: 'filters.encoding.percent-20', says: 'a space as %20' },
    sent: `monitorings=1&start=2024-05-01%2000%3A00&end=2024-05-31%2000%3A00&query=room%20service`,
    found: 'b',
  },
  {
    ...{ id: 'filters.encoding.utf-8', says: 'other letters as the bytes of UTF-8' },
    ...{ sent: `monitorings=1&${WINDOW}&query=caf%C3%A9`, found: 'b' },
  },
  {
    ...{ id: 'filters.encoding.reserved', says: 'reserved characters percent-encoded' },
    ...{ sent: `monitorings=1&${WINDOW}&query=%22A%26B+100%25%22`, found: 'd' },
  },
];

describe('filters / encoding', () => {
  for (const { id, says, sent, found } of ENCODINGS) {
    rule(id, `${says}, in a form and in an address`, async () => {
      const form = await service.call('POST', '/5.0/documents', { body: sent });
      expect(keysOf(form.body.documents)).toEqual(found.split(' '));
      const address = await service.call('GET', `/5.0/documents?${sent}`);
      expect(address.body).toEqual(form.body);
    });
  }

  rule('filters.encoding.broken', 'what is not percent-encoded is refused', async () => {
    for (const sent of ['query=100%', 'query=%E9', 'query=%zz']) {
      const whole = `monitorings=1&${WINDOW}&${sent}`;
      expectRefusal(await service.call('POST', '/5.0/documents', { body: whole }));
      expectRefusal(await service.call('GET', `/5.0/documents?${whole}`));
    }
  });
});
