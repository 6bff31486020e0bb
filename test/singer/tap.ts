import path from 'node:path';
import { Readable } from 'node:stream';
import type { Sandbox } from '../../src/sandbox/index.js';
import {
  checkStreams,
  loadSingerConfig,
  pruneStreams,
  runStarter,
  type SingerConfig,
} from '../../src/singer/config.js';
import type { TargetReport } from '../../src/singer/summary.js';
import { startTarget, type TargetContext } from '../../src/singer/target.js';
import { newFolder, put } from '../helpers/files.js';
import { MAPPING, review } from '../helpers/reviews.js';
import { type ShownDocument, shownDocuments } from '../helpers/sandbox-documents.js';
import { startTestSandbox } from '../helpers/start-sandbox.js';

/** How long a target waits for answers, and for documents to show, in seconds. */
export const PATIENCE = 0.6;

/** A message as a line. */
export function line(message: unknown): string {
  return `${JSON.stringify(message)}\n`;
}

/** A SCHEMA message as taps send them. */
export function schema(stream = 'reviews'): string {
  const text = { type: ['null', 'string'] };
  const properties = { id: text, text, at: { ...text, format: 'date-time' } };
  const body = { type: 'object', properties, additionalProperties: false };
  return line({ type: 'SCHEMA', stream, schema: body, key_properties: ['id'] });
}

export function record(value: object, stream = 'reviews'): string {
  return line({ type: 'RECORD', stream, record: value });
}

export function state(value: unknown): string {
  return line({ type: 'STATE', value });
}

/** So many records, from a number on. */
export function records(from: number, to: number, stream = 'reviews'): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((number) => record(review(number), stream)).join('');
}

/** A target's folder, with a config and a mapping; and the service that it imports into. */
export interface Target {
  readonly folder: string;
  readonly config: string;
  readonly sandbox: Sandbox;
  readonly monitoring: number;
}

/** Makes the folder of a target. */
export async function makeTarget(
  overrides: object = {},
  { sandbox, monitoring = 1 }: { sandbox?: Sandbox; monitoring?: number } = {},
): Promise<Target> {
  const service = sandbox ?? (await startTestSandbox());
  await service.ensureMonitoring(monitoring);
  const folder = newFolder();
  put(folder, 'mapping.json', JSON.stringify(MAPPING));
  const config = {
    monitoring,
    streams: { reviews: { mapping: 'mapping.json' } },
    stateDir: 'state',
    timeout: PATIENCE,
    settleTime: PATIENCE,
    ...overrides,
  };
  put(folder, 'config.json', JSON.stringify(config));
  return { folder, config: path.join(folder, 'config.json'), sandbox: service, monitoring };
}

/** How a target in this process ended. */
export interface Tapped {
  readonly end: TargetReport;
  /** Lines on stdout. */
  readonly states: readonly string[];
  readonly said: readonly string[];
}

/** Pipes what a tap writes into a target, in this process. */
export async function tap(
  { config: file, sandbox }: Target,
  output: string | AsyncIterable<Uint8Array>,
  means: Partial<TargetContext> & { readonly abandonSignal?: AbortSignal } = {},
): Promise<Tapped> {
  const config = await loadSingerConfig(file);
  await checkStreams(config);
  const states: string[] = [];
  const said: string[] = [];
  const { abandonSignal = new AbortController().signal, ...rest } = means;
  const end = await startTarget({
    config,
    begin: runStarter(config, surroundings(config, sandbox, abandonSignal)),
    prune: () => pruneStreams(config, config.stateDir ?? ''),
    input: typeof output === 'string' ? Readable.from([Buffer.from(output)]) : output,
    emit: async (value) => {
      states.push(value);
    },
    log: (message) => said.push(message),
    signal: new AbortController().signal,
    ...rest,
  });
  return { end, states, said };
}

function surroundings(
  { stateDir = '', timeout = PATIENCE }: SingerConfig,
  { baseUrl, username, apiKey }: Sandbox,
  signal: AbortSignal,
): Parameters<typeof runStarter>[1] {
  const connection = { baseUrl, username, apiKey, timeoutMs: timeout * 1_000 };
  return { connection, stateDir, refusals: 'atomic', signal, abandonSignal: signal };
}

/** What the service holds of a target. */
export async function documentsOf({
  sandbox,
  monitoring,
}: Target): Promise<readonly ShownDocument[]> {
  return await shownDocuments(sandbox, monitoring);
}

/** Their sourceIds, in order. */
export async function idsOf(target: Target): Promise<readonly string[]> {
  return (await documentsOf(target)).map(({ sourceId }) => sourceId).toSorted();
}
