import { MAX_CONCURRENCY } from './concurrency.js';
import { GRANT_MS, sampleFrom } from './granted-pacing.js';
import { LocalPacing } from './local-pacing.js';
import type { Grant, Pace, WorkerReport } from './pace.js';
import type { PacingSettings, RequestSample } from './pacing.js';
import { fairShares, sum, wholeShares } from './shares.js';

/** How often a leader makes a pace, in milliseconds. */
export const PACE_MS = 500;
/** `auto` never has more requests in flight, however many workers there are. */
const MAX_AUTO_CONCURRENCY = 256;
/** For so many paces, what is left of sharing out stays with the same workers. */
const PACES_A_TURN = 6;
/** How long one worker probes; another one's network may be the one that works. */
const PROBER_MS = 10_000;
/** Until the next one begins, the one before has heard that it doesn't any more. */
const PROBER_PAUSE_MS = 1_500;
/** Who asks for less than its fair share gets so much more than it used. */
const SPARE = 2;
/** What is granted at least of a fair share of the rate, so that a start shows that more is asked. */
const MIN_SHARE = 0.01;

/** What the leader knows of a worker. */
interface Worker {
  readonly report: WorkerReport;
  readonly reportedAt: number;
  /** Requests that it starts, a second. */
  readonly used: number;
  granted: number;
}

/**
 * Paces many workers as one process paces itself: hears what came of the requests of all, and shares
 * out what the service takes. All times are the leader's.
 */
export class PaceLeader {
  readonly #settings: PacingSettings;
  readonly #pacing: LocalPacing;
  readonly #workers = new Map<string, Worker>();
  /** What isn't learned from yet, as a worker may still report something earlier. */
  #samples: RequestSample[] = [];
  #turn: number;
  /** The pace that tells what was decided last. */
  #toldBy: number;
  /** Since when all workers go by that. */
  #heardAt = Number.POSITIVE_INFINITY;
  #concurrency = 0;
  #noticedAt = Number.NEGATIVE_INFINITY;
  /** Whether no more could be granted. */
  #exhausted = true;
  #openSince: number | undefined;

  /** @param random gives numbers from 0 up to 1 */
  constructor(settings: PacingSettings, random: () => number) {
    this.#settings = settings;
    this.#pacing = new LocalPacing(settings, random);
    // Workers may have heard of another leader's paces.
    this.#turn = Math.floor(random() * 2 ** 40);
    this.#toldBy = this.#turn;
  }

  /** @param at when the worker made the report, as well as that is known */
  heard(name: string, report: WorkerReport, at: number): void {
    const before = this.#workers.get(name);
    const seconds = Math.max(1, at - (before?.reportedAt ?? at - PACE_MS)) / 1_000;
    const used = report.started / seconds;
    this.#workers.set(name, { report, reportedAt: at, used, granted: before?.granted ?? 0 });
    this.#samples.push(...report.samples.map((sample) => sampleFrom(sample, at)));
    this.#pacing.pause(at + report.pausedMs);
  }

  pace(now: number): Pace {
    for (const [name, { reportedAt }] of this.#workers) {
      if (now - reportedAt > GRANT_MS) this.#workers.delete(name);
    }
    this.#pacing.maxConcurrency = Math.min(
      MAX_AUTO_CONCURRENCY,
      MAX_CONCURRENCY * Math.max(1, this.#workers.size),
    );
    this.#learn();
    if (![...this.#workers.values()].some(({ report }) => report.active)) this.#pacing.forget();
    this.#turn += 1;
    this.#announce();
    const { open, gaveUp = null, trouble } = this.#pacing;
    this.#openSince = open ? (this.#openSince ?? now) : undefined;
    return {
      turn: this.#turn,
      grants: this.#grants(now),
      pausedMs: this.#pacing.pausedFor(now),
      breaker: open ? 'open' : 'closed',
      prober: this.#prober(now),
      trouble,
      gaveUp,
    };
  }

  /** Learns from what was answered until no worker can report anything earlier. */
  #learn(): void {
    const workers = [...this.#workers.values()];
    const until = Math.min(...workers.map(({ reportedAt }) => reportedAt));
    const samples = this.#samples.toSorted((a, b) => a.answeredAt - b.answeredAt);
    const complete = samples.filter(({ answeredAt }) => answeredAt <= until);
    this.#samples = samples.slice(complete.length);
    for (const sample of complete) {
      const outdated = sample.sentAt < this.#heardAt || this.#decided;
      this.#pacing.learn({ ...sample, outdated, full: sample.full && this.#exhausted });
    }
    const allHeard = workers.every(({ report }) => this.#isCurrent(report.turn));
    if (allHeard) this.#heardAt = Math.min(this.#heardAt, latest(workers));
  }

  /** Whether a pace tells what was decided last. */
  #isCurrent(turn: number | null): boolean {
    return turn !== null && turn >= this.#toldBy && turn <= this.#turn;
  }

  /** Whether something was decided that no pace told yet. */
  get #decided(): boolean {
    const { concurrency, noticedAt } = this.#pacing;
    return concurrency !== this.#concurrency || noticedAt !== this.#noticedAt;
  }

  #announce(): void {
    if (!this.#decided) return;
    this.#concurrency = this.#pacing.concurrency;
    this.#noticedAt = this.#pacing.noticedAt;
    this.#toldBy = this.#turn;
    this.#heardAt = Number.POSITIVE_INFINITY;
    this.#pacing.newWindow();
  }

  /** Who probes: one after the other of those that have something to send. */
  #prober(now: number): string | null {
    if (this.#openSince === undefined) return null;
    const active = [...this.#workers].filter(([, { report }]) => report.active);
    const openFor = now - this.#openSince;
    const over = openFor % PROBER_MS >= PROBER_MS - PROBER_PAUSE_MS;
    if (over && active.length > 1) return null;
    return active[Math.floor(openFor / PROBER_MS) % active.length]?.[0] ?? null;
  }

  #grants(now: number): { [worker: string]: Grant } {
    const workers = [...this.#workers.values()];
    const concurrency = this.#concurrencies(workers);
    const rates = this.#rates(workers, now);
    for (const [at, worker] of workers.entries()) worker.granted = concurrency[at] as number;
    return Object.fromEntries(
      [...this.#workers].map(([name, { granted }], at) => {
        const rate = rates[at] as number;
        return [
          name,
          { concurrency: granted, rate: rate < Number.POSITIVE_INFINITY ? rate : null },
        ];
      }),
    );
  }

  #concurrencies(workers: readonly Worker[]): number[] {
    const { concurrency } = this.#settings;
    if (concurrency !== 'auto') return workers.map(() => concurrency);
    const limit = this.#concurrency;
    const least = limit >= workers.length ? 1 : 0;
    const asks = workers.map(({ report, granted }) => {
      if (!report.active) return least;
      return report.peak >= granted ? MAX_CONCURRENCY : Math.max(1, report.peak);
    });
    const turn = Math.floor(this.#turn / PACES_A_TURN);
    const targets = wholeShares(fairShares(limit, asks), turn).map((share) =>
      Math.min(MAX_CONCURRENCY, share),
    );
    this.#exhausted = sum(targets) >= limit;
    return onceFree(limit, workers, targets);
  }

  #rates(workers: readonly Worker[], now: number): number[] {
    const rate = this.#pacing.rate(now);
    const fair = rate / workers.filter(({ report }) => report.active).length;
    const least = Math.min(rate, fair) * MIN_SHARE;
    const asks = workers.map(({ report, used }) => {
      const bound = report.active && report.rateBound;
      return bound ? Number.POSITIVE_INFINITY : Math.max(least, used * SPARE);
    });
    return fairShares(rate, asks);
  }
}

/** Gives nobody more before the requests of others who get less are answered. */
function onceFree(limit: number, workers: readonly Worker[], targets: readonly number[]): number[] {
  const grants = targets.map((target, at) => {
    const { granted, report } = workers[at] as Worker;
    return Math.min(target, Math.max(granted, report.inFlight));
  });
  const inUse = grants.map((grant, at) => Math.max(grant, workers[at]?.report.inFlight ?? 0));
  let free = limit - sum(inUse);
  return grants.map((grant, at) => {
    const more = Math.max(0, Math.min((targets[at] as number) - grant, free));
    free -= more;
    return grant + more;
  });
}

function latest(workers: readonly Worker[]): number {
  return Math.max(...workers.map(({ reportedAt }) => reportedAt));
}
