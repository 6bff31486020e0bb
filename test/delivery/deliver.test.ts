import { afterEach, describe, expect, it } from 'vitest';
import { openTransport } from '../../src/api/http-transport.js';
import { postDocuments } from '../../src/api/import-documents.js';
import type { Verdict } from '../../src/delivery/classify-answer.js';
import { deliver } from '../../src/delivery/deliver.js';
import type { Batch } from '../../src/documents.js';
import { documentsOf } from '../helpers/documents.js';
import { type Answer, json, startServer, type TestServer } from '../helpers/http-server.js';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function batchOf(number: number): Batch {
  const documents = documentsOf([{ text: `${number}a` }, { text: `${number}b` }]);
  const ranges = [{ documents, from: 0, to: 2 }];
  return { ranges, count: 2, bytes: documents.bytes.length - 1 };
}

/** Delivers `count` batches to a real server; tells how far reading was ahead of what was settled. */
async function run(count: number, concurrency: number, answer: Answer) {
  const server = await startServer(answer);
  servers.push(server);
  const transport = openTransport(
    { baseUrl: server.baseUrl, username: 'u', apiKey: 'k' },
    concurrency,
  );
  const verdicts = new Map<Batch, Verdict>();
  let read = 0;
  let furthestAhead = 0;
  let stop = false;
  async function* batches(): AsyncGenerator<Batch> {
    for (let number = 1; number <= count; number += 1) {
      read = number;
      furthestAhead = Math.max(furthestAhead, read - verdicts.size);
      yield batchOf(number);
    }
  }
  await deliver(batches(), concurrency, {
    send: (pieces) => postDocuments(transport, 1, pieces),
    settle: (batch, verdict) => {
      verdicts.set(batch, verdict);
      if (verdict.kind !== 'accepted') stop = true;
    },
    stopped: () => stop,
  });
  await transport.close();
  return { server, verdicts, read, furthestAhead };
}

describe('deliver', () => {
  it('posts every batch once, at most `concurrency` at a time, and settles each', async () => {
    let underWay = 0;
    let most = 0;
    const { server, verdicts, furthestAhead } = await run(20, 3, async (_, response, body) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setTimeout(resolve, 5));
      underWay -= 1;
      json(response, 200, { accepted: true, documents: JSON.parse(body).documents.length });
    });
    expect(most).toBe(3);
    expect([...verdicts.values()].every(({ kind }) => kind === 'accepted')).toBe(true);
    const texts = server.requests.flatMap(({ body }) =>
      JSON.parse(body).documents.map(({ text }: { text: string }) => text),
    );
    const expected = Array.from({ length: 20 }, (_, at) => [`${at + 1}a`, `${at + 1}b`]).flat();
    expect(texts.toSorted()).toEqual(expected.toSorted());
    // Reading is held back: those under way, one ready, and one in the making.
    expect(furthestAhead).toBeLessThanOrEqual(5);
  });

  it('reads no further once it is told to stop, and waits for the requests under way', async () => {
    let asked = 0;
    const { verdicts, read, server } = await run(50, 2, async (_, response) => {
      asked += 1;
      if (asked === 3) return json(response, 401, { errors: [{ message: 'no' }] });
      await new Promise((resolve) => setTimeout(resolve, 20));
      json(response, 200, { accepted: true, documents: 2 });
    });
    expect(read).toBeLessThan(10);
    expect(verdicts.size).toBe(server.requests.length);
    expect([...verdicts.values()].filter(({ kind }) => kind === 'no-access')).toHaveLength(1);
  });

  it('never sends a batch again whose fate is unknown', async () => {
    const { server, verdicts } = await run(1, 1, (request) => {
      request.socket.destroy();
    });
    expect([...verdicts.values()].map(({ kind }) => kind)).toEqual(['unknown']);
    expect(server.requests).toHaveLength(1);
  });
});
