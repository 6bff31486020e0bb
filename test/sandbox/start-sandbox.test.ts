import { readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { OptionError } from '../../src/model/errors.js';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.js';
import { newFolder } from '../helpers/files.js';
import {
  basic,
  messages,
  startTestSandbox,
  startWithMonitoring,
  type TestSandbox,
} from '../helpers/start-sandbox.js';
import { ALWAYS, FULL, review } from './documents.js';

// biome-ignore lint/suspicious/noExplicitAny: an answer straight from JSON.
async function find({ call }: TestSandbox, monitorings = '1'): Promise<any> {
  return (await call('POST', '/documents', { form: { monitorings, ...ALWAYS } })).body;
}

test('it listens on 127.0.0.1 only, on the port that was asked for', async () => {
  const free = await startSandbox();
  const port = Number(new URL(free.baseUrl).port);
  await free.close();
  const sandbox = await startTestSandbox({ port });
  expect(sandbox.baseUrl).toBe(`http://127.0.0.1:${port}/5.0`);
  expect(sandbox.legacyBaseUrl).toBe(`http://127.0.0.1:${port}/4.0`);
  const others = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal);
  for (const { address } of others) await expect(connect(address, port)).rejects.toThrow();
});

test('a port that is taken is an OptionError', async () => {
  const { baseUrl } = await startTestSandbox();
  const port = Number(new URL(baseUrl).port);
  await expect(startSandbox({ port })).rejects.toThrow(OptionError);
  await expect(startSandbox({ port })).rejects.toThrow(String(port));
});

test.each<[string, unknown]>([
  ['port', -1],
  ['port', '8080'],
  ['data', 5],
  ['username', 'a:b'],
  ['maxDocuments', 1.5],
  ['prot', 8080],
])('the option %s: %j is refused by name', async (name, value) => {
  const starting = startSandbox({ [name]: value } as SandboxOptions);
  await expect(starting).rejects.toThrow(OptionError);
  await expect(starting).rejects.toThrow(name);
});

test('a data folder that cannot be one is an OptionError', async () => {
  const file = path.join(newFolder(), 'file');
  writeFileSync(file, '');
  await expect(startSandbox({ data: file })).rejects.toThrow(OptionError);
  const broken = newFolder();
  writeFileSync(path.join(broken, 'sandbox.db'), 'no database '.repeat(100));
  await expect(startSandbox({ data: broken })).rejects.toThrow(OptionError);
});

test('the data of another version of docferry is left alone', async () => {
  const data = newFolder();
  await (await startSandbox({ data })).close();
  const database = new Database(path.join(data, 'sandbox.db'));
  database.exec('PRAGMA user_version = 999');
  database.close();
  await expect(startSandbox({ data })).rejects.toThrow(/another version of docferry/);
});

test('in memory nothing is kept, and no file is made', async () => {
  const here = readdirSync('.');
  await startWithMonitoring();
  const second = await startTestSandbox();
  expect((await second.call('GET', '/monitorings')).body.monitorings).toEqual([]);
  expect(readdirSync('.')).toEqual(here);
});

test('a restart on the same folder keeps monitorings, documents and ids', async () => {
  const data = path.join(newFolder(), 'made', 'on the way');
  const first = await startTestSandbox({ data });
  await first.ensureMonitoring(1, 'One');
  const documents = [FULL, review('r-2')];
  await first.call('POST', '/monitorings/1/documents', { json: { documents } });
  const before = await find(first);
  await first.close();

  const second = await startTestSandbox({ data });
  expect(second.apiKey).not.toBe(first.apiKey);
  expect(await find(second)).toEqual(before);
  const json = { documents: [review('r-3', { author: FULL.author ?? {} })] };
  await second.call('POST', '/monitorings/1/documents', { json });
  const after = await find(second);
  expect(after.total).toBe(3);
  const authors = after.documents
    .filter((document: { sourceId: string }) => document.sourceId !== 'r-2')
    .map((document: { author: { id: number } }) => document.author.id);
  expect(new Set(authors).size).toBe(1);
});

test('close ends open connections at once, and a second close changes nothing', async () => {
  const sandbox = await startSandbox();
  const agent = new http.Agent({ keepAlive: true });
  const { baseUrl, username, apiKey } = sandbox;
  const idle = await new Promise<net.Socket>((resolve, reject) => {
    const headers = { authorization: basic(username, apiKey) };
    http
      .get(`${baseUrl}/monitorings`, { agent, headers }, (response) => {
        const { socket } = response;
        response.resume().on('end', () => resolve(socket));
      })
      .on('error', reject);
  });
  const half = net.connect(Number(new URL(baseUrl).port), '127.0.0.1');
  half.on('error', () => {});
  half.write('POST /5.0/documents HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
  const ended = [idle, half].map((socket) => new Promise((done) => socket.on('close', done)));
  await sandbox.close();
  await Promise.all(ended);
  await sandbox.close();
  await expect(fetch(`${baseUrl}/monitorings`)).rejects.toThrow();
  await expect(sandbox.ensureMonitoring(1)).rejects.toThrow('closed');
});

test('an internal error answers 500 without a word of what happened inside', async () => {
  const data = newFolder();
  const sandbox = await startWithMonitoring({ data });
  const database = new Database(path.join(data, 'sandbox.db'));
  database.exec('DROP TABLE documents');
  database.close();
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve));
  const form = { monitorings: '1', ...ALWAYS };
  const failed = await sandbox.call('POST', '/documents', { form });
  expect(failed.status).toBe(500);
  expect(messages(failed)).toEqual(['The sandbox failed; its output has the reason.']);
  expect((await warning).message).toMatch(/POST \/5\.0\/documents.*no such table/s);
});

function connect(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host, () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}
