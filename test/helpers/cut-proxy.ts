import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { onTestFinished } from 'vitest';

/** What a proxy holds back: what clients send, what the server answers, or both. */
export type Direction = 'requests' | 'answers' | 'both';

/** A way to a server on loopback that can fail as networks do. */
export interface CutProxy {
  readonly port: number;
  /** How many connections are open. */
  readonly open: number;
  /** Resets all connections, and every new one until `pass`. */
  cut(): void;
  /** Resets all connections once so many more bytes have gone that way; new ones are let through. */
  cutAfter(bytes: number, direction: 'requests' | 'answers'): void;
  /** Lets no bytes through until `pass`, on new connections as well; all stay open. */
  stall(direction?: Direction): void;
  /** Lets everything through again, what was held back first. */
  pass(): void;
}

/** One connection, in its two halves. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  /** What goes each way passes through these. */
  readonly requests: Transform;
  readonly answers: Transform;
}

/** Puts a proxy in front of a port until the test ends. */
export async function cutProxy(target: number): Promise<CutProxy> {
  const pairs = new Set<Pair>();
  const left = { requests: Number.POSITIVE_INFINITY, answers: Number.POSITIVE_INFINITY };
  const counting = (way: keyof typeof left): Transform =>
    new Transform({
      transform: (bytes: Buffer, _, done) => {
        const passing = bytes.subarray(0, left[way]);
        left[way] -= passing.length;
        done(null, passing);
        if (left[way] > 0) return;
        left[way] = Number.POSITIVE_INFINITY;
        // Once these are on their way.
        setImmediate(reset);
      },
    });
  let isCut = false;
  let held: Direction | undefined;
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    if (isCut) return void client.resetAndDestroy();
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const requests = counting('requests');
    const answers = counting('answers');
    requests.pipe(server);
    answers.pipe(client);
    const pair = { client, server, requests, answers };
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    endTogether(client, server);
    endTogether(server, client);
    direct(pair, held);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const reset = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  };
  const cut = () => {
    isCut = true;
    reset();
  };
  const hold = (direction: Direction | undefined) => {
    isCut = false;
    held = direction;
    for (const pair of pairs) direct(pair, direction);
  };
  onTestFinished(async () => {
    cut();
    proxy.close();
    await once(proxy, 'close');
  });
  return {
    port: (proxy.address() as AddressInfo).port,
    get open() {
      return pairs.size;
    },
    cut,
    cutAfter: (bytes, direction) => {
      left[direction] = bytes;
    },
    stall: (direction = 'both') => hold(direction),
    pass: () => hold(undefined),
  };
}

/** A connection that fails on one side fails on the other. */
function endTogether(one: Socket, other: Socket): void {
  one.on('error', () => {});
  one.on('close', (failed) => (failed ? other.resetAndDestroy() : other.destroy()));
}

function direct({ client, server, requests, answers }: Pair, held: Direction | undefined): void {
  flow(client, requests, held !== 'requests' && held !== 'both');
  flow(server, answers, held !== 'answers' && held !== 'both');
}

function flow(from: Socket, to: Transform, passes: boolean): void {
  from.unpipe(to);
  if (passes) from.pipe(to);
  else from.pause();
}
