import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/api/index.js';
import { type Answer, json, startServer, type TestServer } from '../helpers/http-server.js';

export const credentials = { username: 'ana@example.com', apiKey: 'kéy/0123+secret' };

/** A client, and what it was warned of. */
export interface TestClient {
  readonly client: Client;
  readonly warnings: readonly string[];
}

/** A client of a server that answers as it is told; both are closed when the test ends. */
export async function openClient(
  answer: Answer,
  options?: ClientOptions & { readonly timeoutMs?: number },
): Promise<TestClient & { readonly server: TestServer }> {
  const server = await startServer(answer);
  const { timeoutMs = 5_000, ...clientOptions } = options ?? {};
  const connection = { baseUrl: server.baseUrl, ...credentials, timeoutMs };
  return { ...watched(connection, clientOptions), server };
}

/** A client of a server that answers every call with the next of these, the last one for ever. */
export function openClientOn(answers: readonly unknown[], options?: ClientOptions) {
  let at = 0;
  return openClient((_, response) => {
    json(response, 200, answers[Math.min(at, answers.length - 1)]);
    at += 1;
  }, options);
}

function watched(
  connection: Parameters<typeof createClient>[0],
  options: ClientOptions = {},
): TestClient {
  const warnings: string[] = [];
  const client = createClient(connection, {
    retries: 0,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  onTestFinished(() => client.close());
  return { client, warnings };
}

/** The rejection of a call, which must reject. */
export async function rejection(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('The call did not reject.');
}
