import { describe, expect } from 'vitest';
import type { Client, NewMonitoring } from '../../src/api/index.js';
import { expectOptionError, expectRefusal, rule } from './rule.js';
import { serviceWith } from './service.js';

const NEW: NewMonitoring = {
  title: 'Hotels',
  status: 'active',
  searches: [{ source: 'RSS', query: 'https://news.example.com/feed' }],
};

const service = serviceWith(async (sandbox) => {
  await sandbox.ensureMonitoring(1, 'There from the start');
});

const create = (more: Partial<NewMonitoring> = {}): ReturnType<Client['monitorings']['create']> =>
  service.client.monitorings.create({ ...NEW, ...more });

describe('monitorings', () => {
  rule('monitorings.list.fields', 'the list shows id, title and status, no more', async () => {
    const listed = await service.client.monitorings.list();
    expect(listed).toContainEqual({ id: 1, title: 'There from the start', status: 'active' });
    for (const entry of listed) expect(Object.keys(entry)).toEqual(['id', 'title', 'status']);
    const { body } = await service.call('GET', '/5.0/monitorings');
    expect(Object.keys(body)).toEqual(['monitorings']);
  });

  rule('monitorings.create', 'POST /monitorings gives the created monitoring', async () => {
    const made = await create();
    expect(made).toEqual({
      id: expect.any(Number),
      title: 'Hotels',
      status: 'active',
      searches: [
        {
          id: expect.any(Number),
          source: 'RSS',
          query: 'https://news.example.com/feed',
          lastProcessed: null,
        },
      ],
    });
  });

  rule('monitorings.id', 'the server assigns the id, a positive integer, to each', async () => {
    const ids = [(await create()).id, (await create()).id];
    for (const id of ids) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
    expect(new Set([1, ...ids]).size).toBe(3);
    const given = { ...NEW, id: 1 };
    const { body } = await service.call('POST', '/5.0/monitorings', { json: given });
    expect(body.id).not.toBe(1);
  });

  rule('monitorings.create.json', 'creating takes JSON, and nothing else', async () => {
    const body = JSON.stringify(NEW);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expectRefusal(await service.call('POST', '/5.0/monitorings', { body, headers }));
  });

  for (const status of ['active', 'paused'] as const) {
    rule('monitorings.status', `a monitoring can be ${status}, as its maker says`, async () => {
      const { id } = await create({ status });
      expect((await service.client.monitorings.get(id)).status).toBe(status);
    });
  }

  for (const status of ['stopped', 'Active', '', null, 1]) {
    rule('monitorings.status.others', `status ${JSON.stringify(status)} is refused`, async () => {
      expectRefusal(await service.call('POST', '/5.0/monitorings', { json: { ...NEW, status } }));
      await expectOptionError(create({ status: status as never }), 'status');
    });
  }

  rule('monitorings.status.kept', 'no call changes the status', async () => {
    const { id, searches } = await create({ status: 'paused' });
    await service.client.monitorings.rename(id, 'Another');
    await service.client.monitorings.addSearches(id, NEW.searches);
    await service.client.monitorings.removeSearches(id, [searches[0]!.id]);
    expect((await service.client.monitorings.get(id)).status).toBe('paused');
  });

  rule('monitorings.rename', 'a new title is the only change', async () => {
    const made = await create();
    const renamed = await service.client.monitorings.rename(made.id, 'Hôtels à Sète');
    expect(renamed).toEqual({ ...made, title: 'Hôtels à Sète' });
    expect(await service.client.monitorings.get(made.id)).toEqual(renamed);
    expect(await service.client.monitorings.list()).toContainEqual({
      ...{ id: made.id, title: 'Hôtels à Sète', status: 'active' },
    });
  });

  rule('monitorings.missing', 'a monitoring that is not there is an error', async () => {
    const json = { title: 'x', searches: NEW.searches };
    expectRefusal(await service.call('GET', '/5.0/monitorings/999999'));
    expectRefusal(await service.call('POST', '/5.0/monitorings/999999/title', { json }));
    expectRefusal(await service.call('POST', '/5.0/monitorings/999999/searches', { json }));
    expectRefusal(await service.call('DELETE', '/5.0/monitorings/999999/searches/1'));
  });
});

describe('monitorings / title', () => {
  for (const title of ['x', 'x'.repeat(255), `\u0000\ud800"\\'${'😀'.repeat(250)}`]) {
    rule(
      'monitorings.title',
      `${[...title].length} characters are taken: ${title[0]}`,
      async () => {
        const made = await create({ title });
        expect(made.title).toBe(title);
        expect((await service.client.monitorings.rename(made.id, title)).title).toBe(title);
      },
    );
  }

  const refused = { 'an empty one': '', '256 characters': 'x'.repeat(256), none: undefined };
  for (const [name, title] of Object.entries(refused)) {
    rule('monitorings.title.others', `${name} is refused, here and there`, async () => {
      const { id } = await create();
      expectRefusal(await service.call('POST', '/5.0/monitorings', { json: { ...NEW, title } }));
      const json = { title };
      expectRefusal(await service.call('POST', `/5.0/monitorings/${id}/title`, { json }));
      await expectOptionError(create({ title: title as never }), 'title');
      const renamed = service.client.monitorings.rename(id, title as never);
      await expectOptionError(renamed, 'title');
      expect((await service.client.monitorings.get(id)).title).toBe('Hotels');
    });
  }
});

describe('monitorings / searches', () => {
  for (const searches of [[], undefined]) {
    rule('monitorings.searches', `without any (${searches}) there is no monitoring`, async () => {
      const json = { ...NEW, searches };
      expectRefusal(await service.call('POST', '/5.0/monitorings', { json }));
      await expectOptionError(create({ searches: searches as never }), 'searches');
    });
  }
});
