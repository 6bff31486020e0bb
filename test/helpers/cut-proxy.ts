import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
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
  /** Lets no bytes through until `pass`, on new connections as well; all stay open. */
  stall(direction?: Direction): void;
  /** Lets everything through again, what was held back first. */
  pass(): void;
}

/** One connection, in its two halves. */
interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Puts a proxy in front of a port until the test ends. */
export async function cutProxy(target: number): Promise<CutProxy> {
  const pairs = new Set<Pair>();
  let isCut = false;
  let held: Direction | undefined;
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    if (isCut) return void client.resetAndDestroy();
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const pair = { client, server };
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    endTogether(client, server);
    endTogether(server, client);
    direct(pair, held);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const cut = () => {
    isCut = true;
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
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
    stall: (direction = 'both') => hold(direction),
    pass: () => hold(undefined),
  };
}

/** A connection that fails on one side fails on the other. */
function endTogether(one: Socket, other: Socket): void {
  one.on('error', () => {});
  one.on('close', (failed) => (failed ? other.resetAndDestroy() : other.destroy()));
}

function direct({ client, server }: Pair, held: Direction | undefined): void {
  flow(client, server, held !== 'requests' && held !== 'both');
  flow(server, client, held !== 'answers' && held !== 'both');
}

function flow(from: Socket, to: Socket, passes: boolean): void {
  from.unpipe(to);
  if (passes) from.pipe(to);
  else from.pause();
}
