import { describe, expect, it } from 'vitest';
import { postDocuments } from '../../src/api/post-documents.js';
import { openTransport } from '../../src/api/transport/http-transport.js';
import { partOfBatch } from '../../src/delivery/batches.js';
import type { Verdict } from '../../src/delivery/classify-response.js';
import { systemClock } from '../../src/delivery/clock.js';
import { BatchSource, sendBatches } from '../../src/delivery/deliver.js';
import { type Batch, rangeBytes } from '../../src/model/documents.js';
import { ServiceDownError } from '../../src/model/errors.js';
import { StopConditions } from '../../src/outcomes/stop-conditions.js';
import { documentsOf } from '../helpers/documents.js';
import { type Answer, json, startServer, type TestServer } from '../helpers/http-server.js';
import { contextOf, type Settings, type SimulatedPort } from './simulated-service.js';

function batchOf(number: number): Batch {
  const documents = documentsOf([{ text: `${number}a` }, { text: `${number}b` }]);
  const ranges = [{ documents, from: 0, to: 2 }];
  return { ranges, count: 2, bytes: documents.bytes.length - 1 };
}

interface Options extends Partial<Settings> {
  readonly count: number;
  readonly port?: SimulatedPort & {
    readonly answered?: (batch: Batch) => void;
  };
}

/** Delivers `count` batches to a real server; tells how far reading was ahead of what was settled. */
async function run({ count, port = {}, ...settings }: Options, answer: Answer) {
  const server = await startServer(answer);
  const transport = openTransport({ baseUrl: server.baseUrl, username: 'u', apiKey: 'k' }, 32);
  const verdicts = new Map<Batch, Verdict>();
  let read = 0;
  let furthestAhead = 0;
  async function* batches(): AsyncGenerator<Batch> {
    for (let number = 1; number <= count; number += 1) {
      read = number;
      furthestAhead = Math.max(furthestAhead, read - verdicts.size);
      yield batchOf(number);
    }
  }
  const stops = new StopConditions({ kind: 'never' });
  let [requests, retries] = [0, 0];
  const context = contextOf({ concurrency: 1, maxOutageMs: 10_000, ...settings }, systemClock, {
    stops,
    service: {
      send: async (batch, resends) => {
        requests += 1;
        if (resends > 0) retries += 1;
        if (port.send !== undefined) return await port.send(batch, resends);
        return await postDocuments(transport, 1, batch.ranges.map(rangeBytes));
      },
      access: async () =>
        (await port.probe?.()) === false
          ? { kind: 'service-down', message: '', cause: new ServiceDownError('') }
          : undefined,
    },
    journal: {
      settle: (batch) => port.withdraw?.(batch),
      writeIntent: async (batch) => {
        const intended = await (port.writeIntent ?? (async () => batch))(batch);
        if (intended === undefined) stops.stop({ kind: 'output', message: 'the disk is full' });
        return intended;
      },
    },
  });
  const responses = sendBatches([], new BatchSource(batches(), () => true), context);
  for await (const { batch, verdict } of responses) {
    const { kind, message } = verdict;
    verdicts.set(batch, verdict);
    port.answered?.(batch);
    if (kind === 'no-access') stops.stop({ kind, message });
  }
  const result = { requests, retries, stopMessage: stops.reason?.message };
  await transport.close();
  return { server, verdicts, read, furthestAhead, result };
}

function textsIn(server: TestServer): string[] {
  return server.requests
    .flatMap(({ body }) => JSON.parse(body).documents.map(({ text }: { text: string }) => text))
    .toSorted();
}

const accept: Answer = (_, response, body) =>
  json(response, 200, { accepted: true, documents: JSON.parse(body).documents.length });

describe('sendBatches', () => {
  it('intends as many ahead of their turn as it may, and withdraws those whose turn never comes', async () => {
    const intended = new Set<Batch>();
    const withdrawn: Batch[] = [];
    let answered = 0;
    let most = 0;
    const { verdicts } = await run(
      {
        ...{ count: 50, maxIntentsAhead: 4 },
        port: {
          writeIntent: async (batch) => {
            intended.add(batch);
            most = Math.max(most, intended.size - answered);
            return batch;
          },
          withdraw: (batch) => withdrawn.push(batch),
        },
      },
      async (_, response, body) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        answered += 1;
        if (answered === 10) return json(response, 401, { errors: [{ message: 'no' }] });
        json(response, 200, { accepted: true, documents: JSON.parse(body).documents.length });
      },
    );
    expect(most).toBe(5);
    // The answer came when half of the places were free, or none, or anything between.
    expect(withdrawn.length).toBeGreaterThanOrEqual(2);
    expect(withdrawn.length).toBeLessThanOrEqual(4);
    expect(new Set([...verdicts.keys(), ...withdrawn])).toEqual(intended);
  });

  it.each([1, 8, 'auto'] as const)(
    'stops within what is in flight when the credentials are revoked: %s at a time',
    async (concurrency) => {
      let underWay = 0;
      let underWayThen: number | undefined;
      let asked = 0;
      let after = 0;
      const { verdicts, server } = await run(
        { count: 300, concurrency },
        async (_, response, body) => {
          asked += 1;
          underWay += 1;
          if (underWayThen !== undefined) after += 1;
          await new Promise((resolve) => setTimeout(resolve, 5));
          if (asked > 60) {
            underWayThen ??= underWay;
            json(response, 401, { errors: [{ message: 'the key was revoked' }] });
          } else await accept(_, response, body);
          underWay -= 1;
        },
      );
      // A request may reach the server while the first refusal is on its way back.
      expect(after).toBeLessThanOrEqual(concurrency === 'auto' ? 32 : concurrency);
      expect(server.requests.length).toBeLessThan(140);
      expect(verdicts.size).toBe(server.requests.length);
      const kinds = [...verdicts.values()].map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'accepted').length).toBeLessThanOrEqual(60);
      expect(kinds).toContain('no-access');
    },
  );

  it('sends the part of a batch that is left once it is intended, and nothing of an empty one', async () => {
    let intended = 0;
    const { server, verdicts } = await run(
      {
        count: 3,
        port: {
          writeIntent: async (batch) => {
            intended += 1;
            return partOfBatch(batch, [[0, 1], [1], []][intended - 1] ?? []);
          },
        },
      },
      accept,
    );
    expect(textsIn(server)).toEqual(['1a', '1b', '2b']);
    expect(verdicts.size).toBe(2);
  });

  it('rejects with what the batches or the port throw, once all in flight is settled', async () => {
    const broken = new Error('the disk is gone');
    const settled: Batch[] = [];
    let intended = 0;
    const port: Options['port'] = {
      writeIntent: async (batch) => {
        intended += 1;
        if (intended === 4) throw broken;
        return batch;
      },
      answered: (batch) => {
        settled.push(batch);
      },
    };
    const slow: Answer = async (request, response, body) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await accept(request, response, body);
    };
    await expect(run({ count: 10, concurrency: 3, port }, slow)).rejects.toBe(broken);
    expect(settled.length).toBeGreaterThanOrEqual(3);
  });
});
