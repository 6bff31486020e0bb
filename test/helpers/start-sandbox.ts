import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.js';

/** One call to a sandbox: at most one of `json` and `form`; `body` is sent as it is. */
export interface Call {
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

/** What came back, its body read as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** A sandbox that closes when the test ends, with a client that sends its credentials. */
export interface TestSandbox extends Sandbox {
  call(method: string, path: string, call?: Call): Promise<Answer>;
}

/** Starts a sandbox for the running test. */
export async function startTestSandbox(options?: SandboxOptions): Promise<TestSandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return { ...sandbox, call: (method, path, call) => send(sandbox, method, path, call) };
}

/** The same, with monitoring 1 in it. */
export async function startWithMonitoring(options?: SandboxOptions): Promise<TestSandbox> {
  const sandbox = await startTestSandbox(options);
  await sandbox.ensureMonitoring(1);
  return sandbox;
}

/**
 * Starts a sandbox for all tests of a file, which takes longer than most of their imports. Each call
 * of what is returned makes a monitoring for one of them.
 */
export function shareSandbox(): () => Promise<{ sandbox: Sandbox; monitoring: number }> {
  let sandbox: Sandbox;
  let monitoring = 0;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());
  return async () => {
    monitoring += 1;
    await sandbox.ensureMonitoring(monitoring);
    return { sandbox, monitoring };
  };
}

async function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  { json, form, body, headers }: Call = {},
): Promise<Answer> {
  const type = json !== undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const content = json !== undefined ? JSON.stringify(json) : (body ?? formBody(form));
  const response = await fetch(sandbox.baseUrl + path, {
    method,
    headers: {
      authorization: basic(sandbox.username, sandbox.apiKey),
      ...(content !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? null : JSON.parse(text),
  };
}

/** The value of an `Authorization` header. */
export function basic(username: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
}

/** The messages of an error object, which must hold nothing else. */
export function messages({ body }: Answer): string[] {
  return body.errors.map((error: { message: string }) => error.message);
}

function formBody(form: Record<string, string> | undefined): string | undefined {
  return form && new URLSearchParams(form).toString();
}
