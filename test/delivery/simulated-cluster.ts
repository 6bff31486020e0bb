import { expect } from 'vitest';
import type { Exchange } from '../../src/api/transport/exchange.js';
import type { Clock } from '../../src/delivery/pacing/clock.js';
import { GrantedPacing } from '../../src/delivery/pacing/granted-pacing.js';
import type { Pace, WorkerReport } from '../../src/delivery/pacing/pace.js';
import { PACE_MS, PaceLeader } from '../../src/delivery/pacing/pace-leader.js';
import { type SendingSettings, sendBatches } from '../../src/delivery/send-batches.js';
import { batchFrom, SETTINGS, type Service } from './simulated-service.js';
import type { SimulatedTime } from './simulated-time.js';

const ONE = batchFrom(0, 3);
/** How long it takes at most until what was written is read. */
const LAG_MS = 100;
/** After so long, all have heard of what one of them reports at once. */
export const EXCHANGE_MS = PACE_MS + 2 * LAG_MS;

interface SimulatedWorker {
  /** When it begins and ends, in milliseconds from the start. */
  readonly from: number;
  readonly to: number;
  /** It has so many batches a second; by default as many as it can send. */
  readonly batchesPerSecond?: number;
}

interface Cluster {
  readonly time: SimulatedTime;
  readonly service: Service;
  readonly workers: readonly SimulatedWorker[];
  readonly settings?: Partial<SendingSettings>;
  /** When there is no leader, in milliseconds from the start; the next one knows nothing. */
  readonly leaderless?: { readonly from: number; readonly to: number };
  /** Answers probes. */
  readonly up?: () => boolean;
}

/** A request of the cluster, or a probe; times count from the start. */
interface Asked {
  readonly worker: string;
  readonly probe: boolean;
  readonly at: number;
  answeredAt: number;
  exchange: Exchange | undefined;
}

/** Whose requests in flight may never be more than are granted when one starts. */
class WatchedPacing extends GrantedPacing {
  override started(now: number): void {
    super.started(now);
    expect(this.inFlight).toBeLessThanOrEqual(this.concurrency);
  }
}

/** Lets workers send in simulated time, by a pace that they share; their clocks differ by hours. */
export async function simulateCluster(cluster: Cluster) {
  const { time, service, workers, leaderless = { from: 0, to: 0 } } = cluster;
  const settings = { ...SETTINGS, ...cluster.settings };
  const startedAt = time.now();
  const elapsed = () => time.now() - startedAt;
  const asked: Asked[] = [];
  const paces: { at: number; pace: Pace }[] = [];
  const gaveUp: (string | undefined)[] = [];
  const running = new Map<string, { pacing: WatchedPacing; clock: Clock }>();
  let leader: PaceLeader | undefined;
  let over = false;

  async function lead(): Promise<void> {
    while (!over) {
      const leads = elapsed() < leaderless.from || elapsed() >= leaderless.to;
      if (leads) leader ??= new PaceLeader(settings, time.random);
      else leader = undefined;
      if (leader !== undefined) tell(leader.pace(time.now()));
      await time.sleep(PACE_MS);
    }
  }

  function tell(pace: Pace): void {
    paces.push({ at: elapsed(), pace: asJson(pace) });
    for (const { pacing, clock } of running.values()) {
      void time.sleep(LAG_MS * time.random()).then(() => pacing.granted(asJson(pace), clock.now()));
    }
  }

  function report(name: string): void {
    const { pacing, clock } = running.get(name)!;
    const made: WorkerReport = asJson(pacing.report(clock.now()));
    const at = time.now();
    void time.sleep(LAG_MS * time.random()).then(() => leader?.heard(name, made, at));
  }

  async function reportOften(name: string): Promise<void> {
    await time.sleep(PACE_MS * time.random());
    while (running.has(name)) {
      report(name);
      await time.sleep(PACE_MS);
    }
  }

  async function ask(worker: string, probe: boolean, answer: () => Promise<Exchange>) {
    const one: Asked = { worker, probe, at: elapsed(), answeredAt: 0, exchange: undefined };
    asked.push(one);
    one.exchange = await answer();
    one.answeredAt = elapsed();
    return one.exchange;
  }

  async function work({ from, to, batchesPerSecond }: SimulatedWorker, number: number) {
    const name = `worker ${number}`;
    const offset = 3_600_000 * (number % 3);
    const clock: Clock = {
      now: () => time.now() + offset,
      sleep: (ms, signal) => time.sleep(ms, signal),
      random: time.random,
    };
    await time.sleep(from);
    const pacing = new WatchedPacing(name, time.random, () => report(name));
    running.set(name, { pacing, clock });
    void reportOften(name);
    async function* batches() {
      while (elapsed() < to && pacing.gaveUp === undefined) {
        if (batchesPerSecond !== undefined) await time.sleep(1_000 / batchesPerSecond);
        yield { ...ONE };
      }
    }
    const interruption = new AbortController();
    void time.sleep(to - from).then(() => interruption.abort());
    const result = await sendBatches(
      batches(),
      {
        intend: async (batch) => batch,
        send: (batch) => ask(name, false, () => service(batch)),
        withdraw: () => {},
        answered: () => {},
        refusesWhole: () => true,
        probe: async () => {
          await ask(name, true, async () => {
            await time.sleep(50);
            return { kind: 'not-sent', message: '' };
          });
          return cluster.up?.() ?? true;
        },
        notice: () => {},
        stopped: () => elapsed() >= to,
        signal: interruption.signal,
      },
      { pacing, throttleStatuses: settings.throttleStatuses, clock },
    );
    gaveUp.push(result.gaveUp);
    running.delete(name);
  }

  async function all(): Promise<void> {
    const led = lead();
    await Promise.all(workers.map(work));
    over = true;
    await led;
  }

  await time.pass(all());
  const sent = asked.filter(({ probe }) => !probe);
  const taken = sent.filter(({ exchange }) => isAccepted(exchange));
  const takenBetween = (from: number, to: number, worker?: string) =>
    taken.filter(
      (one) =>
        one.answeredAt >= from &&
        one.answeredAt < to &&
        (worker === undefined || one.worker === worker),
    ).length;
  return { asked, sent, taken, takenBetween, paces, gaveUp };
}

export function isAccepted(exchange: Exchange | undefined): boolean {
  return exchange?.kind === 'answer' && exchange.status === 200;
}

/** Most requests in flight at once, of those that began within a span. */
export function mostInFlight(asked: readonly Asked[], from = 0, to = Number.POSITIVE_INFINITY) {
  const changes = asked
    .filter(({ at }) => at >= from && at < to)
    .flatMap(({ at, answeredAt }) => [
      { at, by: 1 },
      { at: answeredAt, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at || a.by - b.by);
  let [inFlight, most] = [0, 0];
  for (const { by } of changes) {
    inFlight += by;
    most = Math.max(most, inFlight);
  }
  return most;
}

/** What is told goes through a database. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
