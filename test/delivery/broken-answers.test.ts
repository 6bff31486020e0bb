import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { postDocuments } from '../../src/api/post-documents.js';
import { openTransport } from '../../src/api/transport/http-transport.js';
import { type Verdict, verdictOf } from '../../src/delivery/classify-response.js';
import { startBytes, wholeAnswer } from '../helpers/byte-server.js';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Calls back once the request has come with its body, which ends in `]}`. */
function whenRead(socket: Socket, done: () => void): void {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
    if (text.endsWith(']}')) done();
    text = text.slice(-2);
  });
}

/** Posts three documents, each of some size, and tells what the answer means. */
async function post(baseUrl: string, size = 10): Promise<Verdict> {
  const transport = openTransport({ baseUrl, username: 'u', apiKey: 'k', timeoutMs: 20_000 }, 1);
  opened.push(() => transport.close());
  const document = JSON.stringify({ text: 'a'.repeat(size) });
  const pieces = [1, 2, 3].map(() => Buffer.from(document));
  return verdictOf(await postDocuments(transport, 1, pieces), 3);
}

describe('an answer that is not what it should be', () => {
  const GOOD = wholeAnswer('{"accepted":true,"documents":3}');

  it('is an acknowledgement only when it is whole: cut at each byte, by an end or a reset', async () => {
    let cut = 0;
    let how: 'end' | 'resetAndDestroy' = 'end';
    const baseUrl = await startBytes((socket) => {
      whenRead(socket, () => {
        socket.write(GOOD.subarray(0, cut), () => socket[how]());
      });
    });
    for (how of ['end', 'resetAndDestroy'] as const) {
      for (cut = 0; cut < GOOD.length; cut += 1) {
        expect(await post(baseUrl), `${how} after ${cut} bytes`).toMatchObject({ kind: 'unknown' });
      }
    }
    how = 'end';
    cut = GOOD.length;
    expect(await post(baseUrl)).toEqual({ kind: 'accepted', message: '' });
  });

  it('is taken for what it says when it comes before the request was read, but never for more', async () => {
    // Larger than what sockets hold between them, so that the request can't have left.
    const size = 8 * 1024 * 1024;
    const early = (answer: Buffer) =>
      startBytes((socket) => {
        socket.once('data', () => {
          socket.pause();
          socket.write(answer, () => setTimeout(() => socket.destroy(), 50));
        });
      });
    const refusal = wholeAnswer('{"errors":[{"message":"too large"}]}', '413 Too Large');
    const verdict = await post(await early(refusal), size);
    expect(['rejected', 'unknown']).toContain(verdict.kind);
    const success = await post(await early(GOOD), size);
    expect(success.kind).toBe('unknown');
  });

  it('is no early one when the request was read to its end, however large', async () => {
    const baseUrl = await startBytes((socket) => {
      whenRead(socket, () => socket.write(GOOD));
    });
    for (const size of [1, 5_000, 16_384, 20_000, 65_536, 400_000, 3_000_000]) {
      for (let time = 0; time < 5; time += 1) {
        expect(await post(baseUrl, size), `${size} bytes`).toEqual({
          kind: 'accepted',
          message: '',
        });
      }
    }
  });
});
