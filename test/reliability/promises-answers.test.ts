/** What docs/runs.md says that each answer of the service means. */
import { expect, it } from 'vitest';
import { eachSample, sample } from '../helpers/runs.js';
import type { Told } from '../helpers/watched-service.js';
import { idsOf, rehearse } from './rehearsal.js';

/** What the service gives for an answer: `reset`, or nothing. */
type Answer = Told | 'reset' | undefined;

const json = (status: number, body: unknown): Told => ({ status, body: JSON.stringify(body) });
const errors = (status: number): Told => json(status, { errors: [{ message: 'text is rude' }] });
const page = (status: number, headers: Told['headers'] = {}): Told => ({
  ...{ status, body: '<html><title>Sign in</title></html>' },
  headers: { 'content-type': 'text/html', ...headers },
});

type Case = readonly [string, Answer];

const ACKNOWLEDGED: readonly Case[] = [
  ['200', json(200, { accepted: true, documents: 1 })],
  ['201 and more fields', json(201, { accepted: true, documents: 1, more: [] })],
];

const REFUSED: readonly Case[] = [
  ['400 with an error object', errors(400)],
  ['422 with an error object', errors(422)],
  ['413 with an error object', errors(413)],
  ['413 in HTML', page(413)],
];

const UNCONFIRMED: readonly Case[] = [
  ['no answer in time', undefined],
  ['a reset connection', 'reset'],
  ['a smaller count', json(200, { accepted: true, documents: 0 })],
  ['a larger count', json(200, { accepted: true, documents: 2 })],
  ['a count that is text', json(200, { accepted: true, documents: '1' })],
  ['no count', json(200, { accepted: true })],
  ['accepted: false', json(200, { accepted: false, documents: 1 })],
  ['a list', json(200, [])],
  ['200 in HTML', page(200)],
  ['half a JSON object', { status: 200, body: '{"accepted":true,"docu' }],
  ['200 with an error object', errors(200)],
  ['408 with an error object', errors(408)],
  ['400 without an error object', json(400, { oops: 1 })],
  ['500 with an error object', errors(500)],
  ['502 in HTML', page(502)],
  ['504 in HTML', page(504)],
];

const NO_ACCESS: readonly Case[] = [
  ...[401, 403, 404].map((status): Case => [`${status} with an error object`, errors(status)]),
  ...[401, 403, 407].map((status): Case => [`${status} in HTML`, page(status)]),
  ['403 without a body', { status: 403, body: '' }],
];

const ANOTHER_SERVER: readonly Case[] = [
  ...[404, 405, 415].map((status): Case => [`${status} in HTML`, page(status)]),
  ['a redirect', page(302, { location: '/login' })],
];

/** Which case the document of this id meets. */
function caseOf(id: string): number {
  return Number(id.slice('r-'.length)) / 2 - 1;
}

/** A service that gives every second document's first request one of these answers instead of its own. */
async function answering(cases: readonly Case[], isStored: (at: number) => boolean) {
  const records = 2 * cases.length + 1;
  const met = new Set<string>();
  const rehearsal = await rehearse({
    records,
    meddle: async ({ ids: [id = ''] }, pass) => {
      const at = caseOf(id);
      if (!(at in cases) || met.has(id)) return await pass();
      met.add(id);
      if (isStored(at)) await pass();
      return cases[at]?.[1];
    },
  });
  const odd = idsOf(records).filter((id) => Number(id.slice('r-'.length)) % 2 === 0);
  const named = (id: string) => cases[caseOf(id)]?.[0];
  return { ...rehearsal, records, odd, named };
}

it('an answer acknowledges only as a 2xx that says so and counts right', async () => {
  const { run, shown, sent, records } = await answering(ACKNOWLEDGED, () => true);
  const report = await run();
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: records }, resumable: false });
  expect(report).toMatchObject({ batches: records, retries: 0 });
  expect(await shown()).toEqual(idsOf(records));
  expect(sent()).toHaveLength(records);
});

it('an answer refuses as a 4xx with an error object, or 413', async () => {
  const { run, shown, sent, records, odd } = await answering(REFUSED, () => false);
  const report = await run();
  const rejected = REFUSED.length;
  expect(report).toMatchObject({ exitCode: 1, counts: { accepted: records - rejected, rejected } });
  expect(report.problems).toMatchObject([{ kind: 'rejected', count: rejected }]);
  expect(report.problems[0]?.examples[0]?.message).toContain('text is rude');
  expect(await shown()).toEqual(idsOf(records).filter((id) => !odd.includes(id)));
  expect(sent()).toHaveLength(records);
});

/** What is stored of the cases: each second one, from the first or the second on. */
const HALVES = { 'the first': 0, 'the second': 1 } as const;

eachSample()(Object.entries(HALVES))(
  'any other answer leaves a document unconfirmed; stored is every second one, from %s on',
  async (_, half) => {
    const cases = sample(UNCONFIRMED, 6);
    const isStored = (at: number) => at % 2 === half;
    const { run, shown, sent, records, odd, named } = await answering(cases, isStored);
    const report = await run({ onUnknown: 'hold' });
    expect(report).toMatchObject({ exitCode: 5, stop: null, resumable: true });
    const held = report.unknown.flatMap(({ from, to }) => (from === to ? [`r-${from}`] : []));
    expect(held.map(named).toSorted()).toEqual(odd.map(named).toSorted());
    expect(report.counts).toMatchObject({ unknown: odd.length, accepted: records - odd.length });
    expect(sent()).toHaveLength(records);

    const resumed = await run({ resume: report.run });
    expect(resumed).toMatchObject({ exitCode: 0, counts: { accepted: records }, resumable: false });
    expect(await shown()).toEqual(idsOf(records));
    const missing = odd.filter((id) => !isStored(caseOf(id)));
    expect(sent().slice(records).toSorted()).toEqual(missing);
  },
);

it.each([
  ['a refusal of the credentials or the monitoring', NO_ACCESS, false],
  ['an answer of another server', ANOTHER_SERVER, true],
] as const)('%s stops the run, which resumes', async (_, all, isUnknown) => {
  const cases = sample<Case>(all, 2);
  const { run, shown, sent, records, odd } = await answering(cases, () => isUnknown);
  let report = await run({ onUnknown: 'hold' });
  for (const [at, [name]] of cases.entries()) {
    expect(report, name).toMatchObject({ exitCode: 3, stop: { kind: 'no-access' } });
    expect(report, name).toMatchObject({ resumable: true, batches: isUnknown || at === 0 ? 2 : 3 });
    const counts = isUnknown ? { unknown: 1 + at, accepted: 1 + at } : { accepted: 1 + 2 * at };
    expect(report.counts, name).toMatchObject(counts);
    report = await run({ resume: report.run, onUnknown: 'hold' });
  }
  if (isUnknown) report = await run({ resume: report.run });
  expect(report).toMatchObject({ exitCode: 0, counts: { accepted: records } });
  expect(await shown()).toEqual(idsOf(records));
  expect(sent().length).toBe(isUnknown ? records : records + odd.length);
});

const AT_START: readonly (readonly [string, number, Told])[] = [
  ['502 in HTML', 4, page(502)],
  ...[401, 403, 404].map((status) => [`${status}`, 3, errors(status)] as const),
  ...[403, 404, 407].map((status) => [`${status} in HTML`, 3, page(status)] as const),
  ['a redirect', 3, page(302, { location: 'https://sso.example.com/login' })],
  ['a login’s page that says 200', 3, page(200)],
];

eachSample(2)(AT_START)(
  'a service that answers %s when it is asked for the monitoring gets nothing',
  async (_, exitCode, answer) => {
    let isWell = false;
    const { run, sent, shown } = await rehearse({
      records: 3,
      meddle: async (_, pass) => (isWell ? await pass() : answer),
    });
    const stopped = await run({ maxOutageMs: 100 });
    expect(stopped).toMatchObject({ exitCode, status: 'stopped', batches: 0 });
    expect(sent()).toEqual([]);
    isWell = true;
    // There is nothing to wait for: a wait of two of these would outlast the test.
    const quietMs = 300_000;
    expect(await run({ quietMs })).toMatchObject({ exitCode: 0, counts: { accepted: 3 } });
    expect(await shown()).toEqual(idsOf(3));
  },
);
