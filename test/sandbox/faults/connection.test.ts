import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Connection, connectionOf } from '../../../src/sandbox/faults/connection.js';

/** The connection of a request whose client is gone. */
async function lostConnection(): Promise<Connection> {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {});
  const [incoming, outgoing] = await once(server, 'request');
  client.destroy();
  await once(incoming.socket, 'close');
  return connectionOf(incoming, outgoing);
}

test('a connection that is lost already ends every wait at once', async () => {
  const connection = await lostConnection();
  expect(await connection.wait(3_600_000)).toBe(false);
  expect(await connection.drain()).toBe(false);
  await connection.hang();
});

test('what can no longer be done to a lost connection is left', async () => {
  const connection = await lostConnection();
  connection.reset();
  const answer = { status: 200, headers: new Headers(), body: new Uint8Array(9) };
  connection.truncate(answer, 3);
});

test('a request that was read already is not waited for', async () => {
  const server = createServer(async (incoming, outgoing) => {
    for await (const _ of incoming);
    outgoing.end(String(await connectionOf(incoming, outgoing).drain()));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x' });
  expect(await response.text()).toBe('true');
});
