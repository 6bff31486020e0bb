/** What one process has in flight at most. */
const MAX_CONCURRENCY = 32;
const LESS_WHEN_THROTTLED = 0.5;
/** The share of the way back that is made in each window after that. */
const WAY_BACK = 0.25;
const LESS_ON_RISE = 0.9;
/** The weight of the newest window in the running mean and variance. */
const ALPHA = 0.4;
const DEVIATIONS = 2.5;
/** Times that differ by less are level, however steady they were before. */
const LEVEL = 0.1;
/** Windows in which connections are opened and the service's caches fill. */
const WARM_UP_WINDOWS = 2;
/** From here on doubling has to bring something: below, a window holds too few answers to tell. */
const DOUBTED_FROM = 4;
const WORTH_DOUBLING = 1.1;
/** A batch with less than this share of the usual documents takes longer for each. */
const SMALL = 0.75;

/** A batch that the service accepted. */
interface Accepted {
  readonly documents: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Whether as many requests were in flight as are allowed. */
  readonly full: boolean;
}

/**
 * Finds how many requests at a time serve best, from 1 to 32: slow start, then AIMD. A window is a
 * round of as many accepted batches as the limit. The limit doubles until the service throttles or
 * doubling brings nothing. Then it grows by one (faster on the way back from throttling) for each
 * window in which it was reached and times were level, shrinks by a tenth when the time per
 * document rises, and is halved when the service throttles.
 */
export class AdaptiveConcurrency {
  #limit = 1;
  /** What the limit was when the service last throttled. */
  #throttledAt = 1;
  #slowStart = true;
  #window: Accepted[] = [];
  #windows = 0;
  #wasFull = false;
  /** Documents a millisecond in the window before. */
  #speed = 0;
  #startedAt: number | undefined;
  #usualDocuments = 0;
  /** Exponentially weighted mean and variance of the times per document. */
  #mean: number | undefined;
  #variance = 0;

  get limit(): number {
    return Math.min(MAX_CONCURRENCY, Math.floor(this.#limit));
  }

  accepted(sample: Accepted): void {
    this.#startedAt ??= sample.sentAt;
    this.#window.push(sample);
    this.#wasFull ||= sample.full;
    if (this.#window.length >= this.limit) this.#endWindow(sample.answeredAt);
  }

  /** To be told once for the requests that were in flight together. */
  throttled(): void {
    this.#slowStart = false;
    this.#throttledAt = this.#limit;
    this.#set(this.#limit * LESS_WHEN_THROTTLED);
    this.newWindow();
  }

  /** What was measured of the window so far doesn't count. */
  newWindow(startedAt?: number): void {
    this.#window = [];
    this.#wasFull = false;
    this.#startedAt = startedAt;
  }

  #endWindow(now: number): void {
    const level = this.#judgeTimes();
    const documents = this.#window.reduce((sum, { documents }) => sum + documents, 0);
    const speed = documents / Math.max(1, now - (this.#startedAt ?? now));
    if (this.#slowStart) this.#double(speed);
    else if (level === 'risen') this.#set(this.#limit * LESS_ON_RISE);
    else if (level === 'level' && this.#wasFull) this.#grow();
    this.#speed = speed;
    this.#windows += 1;
    this.newWindow(now);
  }

  /** By one, and faster while it is far below what it was before the service throttled. */
  #grow(): void {
    const missing = this.#throttledAt - this.#limit;
    this.#set(this.#limit + Math.max(1, missing * WAY_BACK));
  }

  #double(speed: number): void {
    if (!this.#wasFull) return;
    if (this.limit >= DOUBTED_FROM && speed < this.#speed * WORTH_DOUBLING) {
      this.#slowStart = false;
      this.#set(this.#limit / 2);
      return;
    }
    this.#set(this.#limit * 2);
    if (this.limit === MAX_CONCURRENCY) this.#slowStart = false;
  }

  /** `unjudged`: it held warm-up, or nothing but halves and remainders. */
  #judgeTimes(): 'level' | 'risen' | 'unjudged' {
    if (this.#windows < WARM_UP_WINDOWS) return 'unjudged';
    const most = Math.max(...this.#window.map(({ documents }) => documents));
    const whole = this.#window.filter(
      ({ documents }) => documents >= SMALL * Math.max(most, this.#usualDocuments),
    );
    this.#usualDocuments += ALPHA * (most - this.#usualDocuments);
    if (whole.length === 0) return 'unjudged';
    const took = whole.reduce((sum, { sentAt, answeredAt }) => sum + answeredAt - sentAt, 0);
    const documents = whole.reduce((sum, { documents }) => sum + documents, 0);
    return this.#isAboveUsual(took / documents) ? 'risen' : 'level';
  }

  /** Whether a time lies far above the ones before it; then it is one of them. */
  #isAboveUsual(time: number): boolean {
    this.#mean ??= time;
    const allowed = Math.max(DEVIATIONS * Math.sqrt(this.#variance), LEVEL * this.#mean);
    const above = time - this.#mean;
    this.#mean += ALPHA * above;
    this.#variance = (1 - ALPHA) * (this.#variance + ALPHA * above * above);
    return above > allowed;
  }

  #set(limit: number): void {
    this.#limit = Math.min(MAX_CONCURRENCY, Math.max(1, limit));
  }
}
