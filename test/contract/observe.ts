import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Sandbox } from '../../src/sandbox/index.js';
import { conformsTo } from '../helpers/openapi.js';

/** A question and its answer, as they went over the wire. */
export interface Observed {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

/** What stands between the clients and the sandbox. */
export interface Observer {
  /** `http://127.0.0.1:PORT`: the versions are below it, as in the sandbox. */
  readonly origin: string;
  /** Since the faults were last taken. */
  readonly exchanges: readonly Observed[];
  /** What was not as described, one sentence each; starts afresh. */
  takeFaults(): string[];
  close(): Promise<void>;
}

/** Hands every call on to the sandbox as it is, and looks at every answer on its way back. */
export async function observe({ baseUrl }: Sandbox): Promise<Observer> {
  const exchanges: Observed[] = [];
  const agent = new http.Agent({ keepAlive: true });
  const target = new URL(baseUrl);
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const answer = await handOn(request, body, { agent, port: target.port });
    const text = await buffer(answer);
    exchanges.push(observed(request, body, answer, text));
    response.writeHead(answer.statusCode ?? 0, answer.rawHeaders).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    takeFaults: () => exchanges.splice(0).flatMap(faultsOf),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

function handOn(
  { method, url, headers }: http.IncomingMessage,
  body: Buffer,
  { agent, port }: { readonly agent: http.Agent; readonly port: string },
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', method, path: url, headers };
    const question = http.request(options, resolve).on('error', reject);
    // Written, nothing at all would still count as a body.
    if (body.length > 0) question.write(body);
    question.end();
  });
}

function faultsOf({ method, url, status, answer }: Observed): string[] {
  try {
    return conformsTo(method, url, status, JSON.parse(answer));
  } catch (error) {
    return [`${method} ${url} ${status}: ${(error as Error).message}`];
  }
}

function observed(
  { method = '', url = '', headers }: http.IncomingMessage,
  body: Buffer,
  { statusCode: status = 0 }: http.IncomingMessage,
  answer: Buffer,
): Observed {
  return {
    method,
    url,
    headers,
    body: body.toString('utf8'),
    status,
    answer: answer.toString('utf8'),
  };
}
