import { type Dispatcher, request } from 'undici';
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
  return withCalls(sandbox);
}

function withCalls(sandbox: Sandbox): TestSandbox {
  const authorization = basic(sandbox.username, sandbox.apiKey);
  return {
    ...sandbox,
    call: (method, path, call) => send(sandbox.baseUrl + path, method, authorization, call),
  };
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
export function shareSandbox(): () => Promise<{ sandbox: TestSandbox; monitoring: number }> {
  let sandbox: TestSandbox;
  let monitoring = 0;
  beforeAll(async () => {
    sandbox = withCalls(await startSandbox());
  });
  afterAll(() => sandbox.close());
  return async () => {
    monitoring += 1;
    await sandbox.ensureMonitoring(monitoring);
    return { sandbox, monitoring };
  };
}

/** Makes a call without a client. */
export async function send(
  address: string,
  method: string,
  authorization: string,
  { json, form, body, headers }: Call = {},
): Promise<Answer> {
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  const content = json === undefined ? (body ?? formBody(form)) : JSON.stringify(json);
  // Node's own fetch takes several times the processor time.
  const answer = await request(address, {
    method: method as Dispatcher.HttpMethod,
    headers: { authorization, ...(content !== undefined && { 'content-type': type }), ...headers },
    ...(content !== undefined && { body: content }),
  });
  const text = await answer.body.text();
  const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode,
    headers: new Headers(given as [string, string][]),
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
