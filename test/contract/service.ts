import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import {
  type Client,
  createClient,
  createLegacyClient,
  type LegacyClient,
} from '../../src/api/index.js';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.js';
import { type Answer, basic, type Call, send } from '../helpers/start-sandbox.js';
import { type Observer, observe } from './observe.js';

/** The service as the cases of a file see it: a sandbox, and both clients of it. */
export interface Service {
  readonly sandbox: Sandbox;
  /** Sends filters as a form. */
  readonly client: Client;
  /** Sends filters in the address. */
  readonly byGet: Client;
  readonly legacy: LegacyClient;
  /** What went over the wire in the case that runs. */
  readonly exchanges: Observer['exchanges'];
  /** A call without a client; the path starts with the version, and the credentials are right. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
}

/**
 * Starts a sandbox for the cases of a file and fills it once. All calls pass an observer, and a
 * case fails if any answer that it got is not as described.
 */
export function serviceWith(
  fill: (sandbox: Sandbox) => Promise<void>,
  options?: SandboxOptions,
): Service {
  const service = {} as { -readonly [Part in keyof Service]: Service[Part] };
  let observer: Observer;
  beforeAll(async () => {
    const sandbox = await startSandbox(options);
    await fill(sandbox);
    observer = await observe(sandbox);
    Object.assign(service, connect(sandbox, observer));
  });
  afterEach(() => {
    expect(observer.takeFaults(), 'answers that are not as described').toEqual([]);
  });
  afterAll(async () => {
    await Promise.all([service.client, service.byGet, service.legacy].map((open) => open.close()));
    await observer.close();
    await service.sandbox.close();
  });
  return service;
}

function connect(sandbox: Sandbox, { origin, exchanges }: Observer): Service {
  const { username, apiKey } = sandbox;
  const current = { baseUrl: `${origin}/5.0`, username, apiKey };
  const discontinued = { baseUrl: `${origin}/4.0`, username, apiKey };
  return {
    sandbox,
    client: createClient(current),
    byGet: createClient(current, { filterMethod: 'GET' }),
    legacy: createLegacyClient(discontinued),
    exchanges,
    call: (method, path, call) => send(origin + path, method, basic(username, apiKey), call),
  };
}
