import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { StudioService } from '../../src/studio/service.js';
import { startStudio } from '../../src/studio/start-studio.js';
import type { JobLine } from '../../src/studio/wire.js';
import { newFolder, put } from '../helpers/files.js';

export const MAPPING = `# what the hotel sends
name: Hotel
profile: minimal
document:
  # TODO: is it unique?
  sourceId: "{id}"
  text: "{text}"
  language: { value: en }
  published: { from: date, date: yyyy-MM-dd }
`;

export const REVIEWS =
  'id,text,date\n1,"Good, clean",2026-01-31\n2,Noisy at night,31.02.2026\n3,,2026-02-01\n';

/** An answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked.
  readonly json: any;
}

/** A request by hand: any header can be set, or left out with `undefined`. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A studio that runs until the test is over. */
export interface OpenStudio {
  readonly folder: string;
  readonly file: string;
  readonly mapping: string;
  readonly origin: string;
  readonly port: number;
  readonly token: string;
  ask(path: string, asked?: Asked): Promise<Answer>;
  lines(path: string, body: object): Promise<readonly JobLine[]>;
}

/** Starts a studio for a file with this content. */
export async function openStudio(
  content: string | Uint8Array = REVIEWS,
  name = 'reviews.csv',
  service?: StudioService,
): Promise<OpenStudio> {
  const folder = newFolder();
  const file = put(folder, name, content);
  const commandLine = (command: string): string => `docferry ${command}`;
  const studio = await startStudio({ file, service, commandLine });
  onTestFinished(() => studio.close());
  const { origin, port, hash } = new URL(studio.url);
  const token = hash.replace('#token=', '');
  const ask = (path: string, asked: Asked = {}): Promise<Answer> =>
    send(origin + path, {
      ...asked,
      headers: { authorization: `Bearer ${token}`, ...asked.headers },
    });
  return {
    folder,
    file,
    mapping: studio.mapping,
    origin,
    port: Number(port),
    token,
    ask,
    lines: async (path, body) => {
      const { text: lines } = await ask(path, { method: 'POST', body });
      return lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as JobLine);
    },
  };
}

function send(url: string, { method, headers = {}, body, signal }: Asked): Promise<Answer> {
  const given = Object.entries({ 'content-type': 'application/json', ...headers });
  const sent = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const options = { method: method ?? 'GET', headers: sent as Record<string, string>, signal };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode = 0, headers: answered } = incoming;
        resolve({ status: statusCode, headers: answered, text, json: parsed(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
