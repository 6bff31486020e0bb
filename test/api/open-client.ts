import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/api/index.js';
import { type Answer, json, startServer, type TestServer } from '../helpers/http-server.js';

export const credentials = { username: 'ana@example.com', apiKey: 'kéy/0123+secret' };

/** A client of a server that answers as it is told; both are closed when the test ends. */
export async function openClient(
  answer: Answer,
  options?: ClientOptions & { readonly timeoutMs?: number },
): Promise<{ readonly client: Client; readonly server: TestServer }> {
  const server = await startServer(answer);
  const { timeoutMs = 5_000, ...clientOptions } = options ?? {};
  const connection = { baseUrl: server.baseUrl, ...credentials, timeoutMs };
  const client = createClient(connection, { retries: 0, ...clientOptions });
  onTestFinished(() => client.close());
  return { client, server };
}

/** A client of a server that answers every call with the next of these, the last one for ever. */
export function openClientOn(answers: readonly unknown[], options?: ClientOptions) {
  let at = 0;
  return openClient((_, response) => {
    json(response, 200, answers[Math.min(at, answers.length - 1)]);
    at += 1;
  }, options);
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
