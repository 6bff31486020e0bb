import { systemClock } from '../../delivery/pacing/clock.js';
import { GrantedPacing } from '../../delivery/pacing/granted-pacing.js';
import { LocalPacing } from '../../delivery/pacing/local-pacing.js';
import type { Pace, WorkerReport } from '../../delivery/pacing/pace.js';
import { PACE_MS, PaceLeader } from '../../delivery/pacing/pace-leader.js';
import type { Pacing, PacingSettings } from '../../delivery/pacing/pacing.js';
import type { Paces } from '../../runs/postgres/paces.js';

/**
 * How fast this process sends among others that send to the same target: by the grants of a leader,
 * which may be this process. As long as nobody else is there, it paces itself, which is quicker to
 * find out what the service takes.
 */
export class SharedPace {
  readonly #paces: Paces;
  readonly #name: string;
  readonly #settings: PacingSettings;
  readonly #alone: LocalPacing;
  readonly #granted: GrantedPacing;
  #leader: PaceLeader | undefined;
  #others = 0;
  #timer: NodeJS.Timeout | undefined;
  #exchanging: Promise<void> | undefined;
  #ended = false;

  constructor(paces: Paces, name: string, settings: PacingSettings) {
    const { random } = systemClock;
    this.#paces = paces;
    this.#name = name;
    this.#settings = settings;
    this.#alone = new LocalPacing(settings, random);
    this.#granted = new GrantedPacing(name, random, () => this.#exchangeNow());
  }

  /** Says that this process is there, and hears of others; then again and again. */
  async begin(): Promise<void> {
    await this.#exchange().catch(() => {});
    this.#later();
  }

  /** What the next shard is sent by. A rate that the user gave is shared out from the start. */
  get pacing(): Pacing {
    return this.#others === 0 && this.#settings.rate === undefined ? this.#alone : this.#granted;
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#exchanging;
  }

  #later(): void {
    if (this.#ended) return;
    this.#timer = setTimeout(() => this.#exchangeNow(), PACE_MS);
    this.#timer.unref();
  }

  #exchangeNow(): void {
    if (this.#exchanging !== undefined || this.#ended) return;
    clearTimeout(this.#timer);
    // Without the state, grants end by themselves.
    this.#exchanging = this.#exchange()
      .catch(() => {})
      .finally(() => {
        this.#exchanging = undefined;
        this.#later();
      });
  }

  async #exchange(): Promise<void> {
    const report = JSON.stringify(this.#granted.report(systemClock.now()));
    const { leads, others, pace, ageMs } = await this.#paces.exchange(report);
    this.#others = others;
    if (leads) await this.#lead();
    else {
      this.#leader = undefined;
      if (pace !== null) this.#hear(JSON.parse(pace) as Pace, ageMs);
    }
  }

  async #lead(): Promise<void> {
    this.#leader ??= new PaceLeader(this.#settings, systemClock.random);
    const reports = await this.#paces.collect();
    const now = systemClock.now();
    for (const { session, report, ageMs } of reports.toSorted((a, b) => b.ageMs - a.ageMs)) {
      this.#leader.heard(`${session}`, JSON.parse(report) as WorkerReport, now - ageMs);
    }
    const pace = this.#leader.pace(now);
    await this.#paces.publish(JSON.stringify(pace));
    this.#hear(pace, 0);
  }

  /** Its times count from when it was made. */
  #hear(pace: Pace, ageMs: number): void {
    if (pace.grants[this.#name] === undefined) return;
    const pausedMs = Math.max(0, pace.pausedMs - ageMs);
    this.#granted.granted({ ...pace, pausedMs }, systemClock.now());
  }
}
