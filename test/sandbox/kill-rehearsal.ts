import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { ImportedDocument } from '../../src/model/document.js';
import { MAIN } from '../helpers/run-cli.js';

/** A sandbox as a process of its own. */
export interface SandboxProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly baseUrl: string;
  /** Sends a form or JSON text with the credentials; rejects when no whole answer comes. */
  call(path: string, content: URLSearchParams | string): Promise<unknown>;
  /** Ends it without any warning, as a crash would. */
  kill(): Promise<void>;
}

/** Starts `docferry sandbox` on a data folder, and waits until it listens. */
export async function startProcess(data: string): Promise<SandboxProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN, 'sandbox', '--data', data, '--json'], {
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(() => Promise.reject(new Error(`The sandbox did not start: ${complaints}`))),
  ])) as [string];
  const { baseUrl, username, apiKey } = JSON.parse(line);
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  const agent = new Agent();
  return {
    child,
    baseUrl,
    call: async (path, content) => {
      const isForm = content instanceof URLSearchParams;
      const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
      const { body } = await request(baseUrl + path, {
        method: 'POST',
        dispatcher: agent,
        headers: { authorization, 'content-type': type },
        body: `${content}`,
      });
      return body.json();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      await agent.destroy();
    },
  };
}

/** The documents of one request. */
export interface Batch {
  readonly documents: readonly ImportedDocument[];
  /** The body of the request. Made beforehand, so that the sandbox has no time to rest. */
  readonly json: string;
}

/** A batch that was sent. */
export interface SentBatch extends Batch {
  /** `unanswered`: in flight when the process was killed. */
  outcome: 'acknowledged' | 'unanswered';
}

/** How many requests are in flight at a time. */
export const CONCURRENCY = 8;

/** When to kill: so many milliseconds after so many answers, whatever else the machine is at. */
export interface KillMoment {
  readonly answers: number;
  readonly laterMs: number;
}

/**
 * Imports one batch after the other until the process is killed, with requests in flight as long as
 * there are batches left. Rejects if an answer came that is not a success.
 */
export async function importUntilKilled(
  sandbox: SandboxProcess,
  monitoring: number,
  batches: readonly Batch[],
  { answers, laterMs }: KillMoment,
): Promise<SentBatch[]> {
  const sent: SentBatch[] = [];
  let answered = 0;
  let killed: Promise<void> | undefined;
  const kill = async (): Promise<void> => {
    await wait(laterMs);
    await sandbox.kill();
  };
  const importOn = async (): Promise<void> => {
    while (sent.length < batches.length) {
      const batch: SentBatch = { ...batches[sent.length]!, outcome: 'unanswered' };
      sent.push(batch);
      const path = `/monitorings/${monitoring}/documents`;
      const answer = await sandbox.call(path, batch.json).catch(() => undefined);
      if (!answer) return;
      const expected = JSON.stringify({ accepted: true, documents: batch.documents.length });
      if (JSON.stringify(answer) !== expected) throw new Error(JSON.stringify(answer));
      batch.outcome = 'acknowledged';
      answered += 1;
      if (answered >= answers) killed ??= kill();
    }
  };
  const imports = Array.from({ length: CONCURRENCY }, importOn);
  if (answers === 0) killed = kill();
  await Promise.all(imports);
  await killed;
  return sent;
}

/** Batches of one to three hundred documents, each with the batch's number in its sourceId. */
export function makeBatches(count: number, random: () => number): Batch[] {
  return Array.from({ length: count }, (_, batch) => {
    const documents = documentsOf(batch, random);
    return { documents, json: JSON.stringify({ documents }) };
  });
}

const TEXTS = ['Muy buena atención 👍', 'Żółć\u0000', 'a "quoted" one', '日本 🤩 hotel', ''];

function documentsOf(batch: number, random: () => number): ImportedDocument[] {
  const count = 1 + Math.floor(random() ** 3 * 300);
  return Array.from({ length: count }, (_, index) => {
    const draw = Math.floor(random() * 1e6);
    const seconds = String(draw % 60).padStart(2, '0');
    return {
      source: 'RVW',
      sourceId: `${batch}/${index}`,
      text: `${TEXTS[draw % TEXTS.length]} ${'word '.repeat(draw % 100)}${draw}`,
      language: 'es',
      published: `2024-05-31T10:30:${seconds}Z`,
      downloaded: `2024-06-01T10:30:${seconds}Z`,
      // Much to write for little to read: most of the time the database is at work.
      tags: Array.from({ length: draw % 20 }, (__, tag) => `t${(draw * 31 + tag) % 1000}`),
      metrics: [{ name: 'score', value: (draw % 10) / 2 }],
      author: {
        source: 'RVW',
        sourceId: `u-${draw % 50}`,
        username: `U${draw % 50}`,
        annotations: [],
      },
    };
  });
}
