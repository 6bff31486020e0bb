import { expect, it } from 'vitest';
import { checkUnsent } from '../../../src/delivery/reconciliation/check-unsent.js';
import type { Acknowledged } from '../../../src/delivery/reconciliation/sightings.js';
import { documentsOf } from '../../helpers/documents.js';
import { SimulatedService } from './simulated-service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PUBLISHED = '2024-05-01T10:00:00Z';

/** Checks one document that is called unsent; gives what may be sent, and why not. */
async function check(service: SimulatedService, acknowledged: readonly Acknowledged[] = []) {
  const documents = documentsOf([{ sourceId: 'a', published: PUBLISHED }]);
  const range = { documents, from: 0, to: 1 };
  async function* unsent() {
    yield range;
  }
  const stops: string[] = [];
  const checked = checkUnsent(unsent(), {
    ...service.port,
    waitMs: 0,
    settleMs: MINUTE,
    acknowledged: async () => acknowledged,
    clock: { ...service.port.clock, random: Math.random },
    sentByOthers: async () => [],
    notice: () => {},
    stop: ({ message }) => stops.push(message),
    stopped: () => stops.length > 0,
  });
  let given = 0;
  for await (const { from, to } of checked) given += to - from;
  const widths = service.requests.map(({ window }) => window.to - window.from);
  return { given, stops, widestMs: Math.max(...widths) };
}

function acknowledged(service: SimulatedService): readonly Acknowledged[] {
  const document = { sourceId: 'sent', published: { from: PUBLISHED, to: PUBLISHED } };
  const request = { published: document.published, documents: () => [document] };
  return [{ ...document, acknowledgedMs: service.now, request }];
}

it('what is there although the journal calls it unsent ends the run', async () => {
  const service = new SimulatedService();
  service.apply('a', { published: '2024-05-02T00:00:00Z' });
  expect(await check(service)).toMatchObject({
    given: 0,
    stops: [expect.stringContaining('the service has 1 of the first 1 documents')],
  });
});

it('what is not there is sent, once a day around it was read', async () => {
  expect(await check(new SimulatedService())).toEqual({
    given: 1,
    stops: [],
    widestMs: 48 * HOUR,
  });
});

it('three hours around it are enough where what was accepted shows at its time', async () => {
  const service = new SimulatedService();
  service.apply('sent');
  const read = await check(service, acknowledged(service));
  expect(read).toEqual({ given: 1, stops: [], widestMs: 6 * HOUR });
});

it('three hours around it are not enough where that shows at another time', async () => {
  const service = new SimulatedService();
  service.apply('sent', { published: '2024-05-01T15:00:00Z' });
  service.apply('a', { published: '2024-05-01T15:00:00Z' });
  expect(await check(service, acknowledged(service))).toMatchObject({ given: 0 });
});
