import { describe, expect, it } from 'vitest';
import { reconcile } from '../../../src/delivery/reconciliation/reconcile.js';
import type {
  ReconciliationSettings,
  UnconfirmedRequest,
} from '../../../src/delivery/reconciliation/request-case.js';
import { SimulatedService } from './simulated-service.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const settings: ReconciliationSettings = {
  settleMs: MINUTE,
  timeoutMs: 30 * SECOND,
  giveUpMs: 5 * MINUTE,
};
const published = { from: '2024-05-01T10:00:00Z', to: '2024-05-01T10:00:00Z' };

/** A request over these ids, whose request ends now. */
function requestOf(service: SimulatedService, ...ids: (string | null)[]): UnconfirmedRequest {
  return { ids, published, endedMs: service.now };
}

async function resolve(
  service: SimulatedService,
  request: UnconfirmedRequest,
  changed: Partial<ReconciliationSettings> = {},
) {
  const [resolved] = await reconcile([request], { ...settings, ...changed }, service.port);
  return resolved!;
}

describe('what is there', () => {
  it('is believed at once', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a', 'b');
    service.apply('a');
    service.apply('b');
    const began = service.now;
    expect(await resolve(service, request)).toMatchObject({
      accepted: [0, 1],
      absent: [],
      undecided: [],
      shownTwice: [],
      reason: null,
    });
    expect(service.now - began).toBeLessThan(SECOND);
  });

  it('is read again while it may still come, well before absence could show', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.apply('a', { lagMs: 5 * SECOND });
    const began = service.now;
    expect((await resolve(service, request)).accepted).toEqual([0]);
    expect(service.now - began).toBeLessThan(20 * SECOND);
  });

  it('counts only with its own source, and letter by letter', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'Ab', 'caf\u00e9', 'taken');
    for (const id of ['ab', 'AB', 'cafe\u0301']) service.apply(id);
    service.apply('taken', { source: 'TWT' });
    service.now += SECOND;
    service.acknowledge('later');
    expect(await resolve(service, request)).toMatchObject({ accepted: [], absent: [0, 1, 2] });
  });

  it('is found a day beyond what its times of publication say', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'west', 'east');
    service.apply('west', { published: '2024-04-30T20:00:00Z' });
    service.apply('east', { published: '2024-05-02T00:00:00Z' });
    expect((await resolve(service, request)).accepted).toEqual([0, 1]);
    const at = Date.parse(published.from);
    const windows = service.requests.map(({ window }) => window);
    expect(windows).toContainEqual({ from: at - DAY, to: at + DAY });
  });
});

describe('what is missing', () => {
  it('is absent after two settle times, when two readings agree and a later document shows', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a', 'b');
    service.apply('b');
    service.now += SECOND;
    service.acknowledge('later');
    const resolved = await resolve(service, request);
    expect(resolved).toMatchObject({ accepted: [1], absent: [0], undecided: [], reason: null });
    expect(resolved.readAfterMs).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(service.now - request.endedMs).toBeLessThan(3 * MINUTE);
  });

  it('waits for the timeout of the client, if that is longer than the settle time', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.acknowledge('later', { at: service.now + SECOND });
    const { readAfterMs } = await resolve(service, request, { timeoutMs: 4 * MINUTE });
    expect(readAfterMs).toBeGreaterThanOrEqual(8 * MINUTE);
  });

  it('waits for five times the lag that was seen', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.acknowledge('later', { at: service.now + 1, lagMs: 40 * SECOND });
    service.now += 2;
    const { absent, readAfterMs } = await resolve(service, request, { giveUpMs: 30 * MINUTE });
    expect(absent).toEqual([0]);
    // It was missing when it was 30 seconds old.
    expect(readAfterMs).toBeGreaterThanOrEqual(2 * 5 * 30 * SECOND);
  });

  it('needs a canary when nothing was acknowledged after its request, and gets it from one document', async () => {
    const service = new SimulatedService();
    service.acknowledge('before');
    service.now += SECOND;
    const request = requestOf(service, 'a', 'b');
    const first = await resolve(service, request);
    expect(first).toMatchObject({ absent: [], undecided: [0, 1], needsCanary: true });
    expect(first.reason).toContain('no document was acknowledged after');
    service.acknowledge('a');
    const second = await resolve(service, request);
    expect(second).toMatchObject({ accepted: [0], absent: [1], needsCanary: false });
  });

  it('stays undecided while the later document does not show', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.pretendToAcknowledge('later', { at: service.now + 1 });
    const resolved = await resolve(service, request);
    expect(resolved).toMatchObject({ absent: [], undecided: [0], needsCanary: false });
    expect(resolved.reason).toContain('"later"');
    const waited = service.now - request.endedMs;
    expect(waited).toBeGreaterThanOrEqual(7 * MINUTE);
    expect(waited).toBeLessThan(9 * MINUTE);
  });

  it.each([
    [
      1,
      /the acknowledged document "x4" doesn't show under the sourceId that was sent, although others/,
    ],
    [
      2,
      /2 acknowledged documents don't show under the sourceIds that were sent \(for example "x4"\)/,
    ],
  ])(
    'stays undecided while %i documents of a request in its windows show under other sourceIds',
    async (changed, says) => {
      const shownAs = (sourceId: string) => sourceId.replace('x', 'X');
      const service = new SimulatedService({ shownAs });
      const others = Array.from({ length: 5 }, (_, at) => ({
        sourceId: at < 5 - changed ? `same${at}` : `x${at}`,
        published: published.from,
      }));
      service.acknowledgeTogether(others, { at: service.now - 2 * MINUTE });
      const request = requestOf(service, 'xa', 'b');
      for (const id of ['xa', 'b']) service.apply(id);
      service.now += SECOND;
      service.acknowledge('later');
      const resolved = await resolve(service, request);
      expect(resolved).toMatchObject({ accepted: [1], absent: [], undecided: [0] });
      expect(resolved.reason).toMatch(says);
    },
  );

  it('stays undecided without an id, or with one that does not come back as it was', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, null, 'half \ud83d', 'a');
    service.apply('a');
    const resolved = await resolve(service, request);
    expect(resolved).toMatchObject({ accepted: [2], undecided: [0, 1] });
    expect(resolved.reason).toContain('without a usable sourceId');
    expect(await resolve(service, requestOf(service, null))).toMatchObject({ undecided: [0] });
  });
});

describe('a reading', () => {
  /** A request about one document that was not applied, among 500 that were, and one later one. */
  function amongMany(service: SimulatedService): UnconfirmedRequest {
    for (let at = 0; at < 500; at += 1) {
      const minute = new Date(Date.parse(published.from) - at * MINUTE).toISOString();
      service.apply(`r${at}`, { published: minute });
    }
    const request = requestOf(service, 'a', 'r499');
    service.acknowledge('later', { at: service.now + 1 });
    return request;
  }
  const decided = { accepted: [1], absent: [0] };

  it.each(['newest', 'oldest', 'id'] as const)(
    'takes few requests where nothing goes wrong: %s',
    async (listed) => {
      const service = new SimulatedService({ listed });
      const request = amongMany(service);
      expect(await resolve(service, request)).toMatchObject(decided);
      expect(service.requests.length).toBeLessThan(100);
    },
  );

  it('decides nothing where more documents share a minute than pages reach', async () => {
    const service = new SimulatedService({ pageSize: 10, reach: 100 });
    const request = requestOf(service, 'a');
    for (let at = 0; at < 200; at += 1) service.apply(`r${at}`);
    service.acknowledge('later', { at: service.now + 1 });
    const resolved = await resolve(service, request);
    expect(resolved).toMatchObject({ absent: [], undecided: [0] });
    expect(resolved.reason).toContain('only the first 100 documents');
  });

  it('decides nothing where a total says more than there is', async () => {
    const service = new SimulatedService();
    const request = amongMany(service);
    const { page, ...port } = service.port;
    const boasting = {
      ...port,
      page: async (...asked: Parameters<typeof page>) => {
        const answer = await page(...asked);
        return { ...answer, total: answer.total + 1 };
      },
    };
    const [resolved] = await reconcile([request], settings, boasting);
    expect(resolved).toMatchObject({ accepted: [1], absent: [], undecided: [0] });
  });

  it('that lacks what showed before is out of date', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.acknowledge('later', { at: service.now + 1 });
    service.acknowledge('latest', { at: service.now + 100_000 });
    let gone = false;
    service.beforeAnswer = () => {
      if (gone || service.now < request.endedMs + 122_000) return;
      gone = true;
      service.remove('latest');
    };
    const resolved = await resolve(service, request);
    expect(resolved.absent).toEqual([]);
    expect(resolved.reason).toMatch(
      /out of date: .*"latest", which was acknowledged \d{2,3} s earlier/,
    );
  });

  it('ends at once when the run is interrupted', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a', 'b');
    service.apply('b');
    service.beforeAnswer = () => {
      if (service.now > request.endedMs + 10_000) service.abort.abort();
    };
    const resolved = await resolve(service, request);
    expect(resolved).toMatchObject({ accepted: [1], undecided: [0] });
    expect(resolved.reason).toContain('interrupted');
    expect(service.now - request.endedMs).toBeLessThan(MINUTE);
  });
});

describe('the windows that are read', () => {
  const at = Date.parse(published.from);
  /** How much wider they are than the request's times, on both sides. */
  const paddings = (service: SimulatedService): Set<number> =>
    new Set(
      service.requests
        .filter(({ window }) => at - window.from === window.to - at)
        .map(({ window }) => window.to - at),
    );

  it('are only the minutes of what shows, among many documents', async () => {
    const service = new SimulatedService({ pageSize: 10 });
    for (let minute = -1_500; minute < 1_500; minute += 1) {
      service.apply(`m${minute}`, { published: new Date(at + minute * MINUTE).toISOString() });
    }
    expect((await resolve(service, requestOf(service, 'm0'))).accepted).toEqual([0]);
    expect(paddings(service)).toEqual(new Set([2 * MINUTE]));
    expect(service.requests.length).toBeLessThanOrEqual(2);
  });

  it('are those minutes until absence can show, then a day wider', async () => {
    const service = new SimulatedService();
    const request = requestOf(service, 'a');
    service.acknowledge('later', { at: service.now + 1, published: '2024-04-01T10:00:00Z' });
    service.now += SECOND;
    expect((await resolve(service, request)).absent).toEqual([0]);
    expect(paddings(service)).toEqual(new Set([2 * MINUTE, DAY]));
    const wide = service.requests.filter(({ window }) => window.to - window.from > 60 * MINUTE);
    expect(wide.length).toBeLessThan(service.requests.length / 2);
  });
});
