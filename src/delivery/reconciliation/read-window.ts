import { AccessError, ServiceDownError, ServiceError } from '../../model/errors.js';
import {
  type Edge,
  minuteOf,
  type NoPage,
  PageSequence,
  type PartReading,
} from './page-sequence.js';
import {
  EndlessError,
  type PagePort,
  type ShownDocument,
  type ShownPage,
} from './service-pages.js';
import { halves, MINUTE_MS, type Window } from './window.js';

type WindowReading = { readonly complete: true } | BrokenReading;

export interface BrokenReading {
  readonly complete: false;
  /** Reason, without a full stop. */
  readonly message: string;
  /** Whether reading again can't succeed. */
  readonly ended: boolean;
  readonly isDown: boolean;
}

/**
 * Reads all documents of a window. Halves the window if it has many documents, or if the service's
 * pages don't reach the end or keep changing. Stops at the first minute that can't be read, so a
 * service that fails everywhere isn't queried for long.
 * @param visit called for every document; more than once for some
 */
export async function readWindow(
  window: Window,
  port: PagePort,
  visit: (document: ShownDocument) => void,
): Promise<WindowReading> {
  return await new WindowReader(port, visit).read(window);
}

type PageAnswer = { readonly kind: 'page'; readonly page: ShownPage } | NoPage;

/** How often a part that changes while it is read is tried before it is halved. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;
/**
 * A part with more documents is halved at once: search engines skip documents at a cost for each,
 * so reading all pages of a large part takes the square of its size, or is refused.
 */
const MAX_DOCUMENTS = 10_000;
/**
 * Bounds endless readings, for example of a total that is never reached. A complete export takes
 * less.
 */
const MAX_READING_MS = 60 * 60_000;

/** Reads the parts of one window, and learns how deep the service pages. */
class WindowReader {
  readonly #port: PagePort;
  readonly #visit: (document: ShownDocument) => void;
  readonly #untilMs: number;
  /** Known limit of how deep the service pages. */
  #reach = MAX_DOCUMENTS;
  #totalsCapped = false;
  /** Largest total of a window that couldn't be read as a whole. */
  #claimedTotal = 0;
  #documents = 0;
  /** Documents in minutes that two parts share, which are counted once. */
  readonly #atSeams = new Set<number>();

  constructor(port: PagePort, visit: (document: ShownDocument) => void) {
    this.#port = port;
    this.#visit = visit;
    this.#untilMs = port.clock.now() + MAX_READING_MS;
  }

  async read(window: Window): Promise<WindowReading> {
    const open = [window];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const smaller = halves(part);
      const reading = await this.#readSteadily(part, smaller !== undefined);
      const { kind } = reading;
      if (kind === 'complete') continue;
      if (kind === 'failed' || kind === 'ended' || smaller === undefined) {
        const message = `the documents from ${showWindow(part)} can't all be read: ${reading.message}`;
        const isDown = kind === 'failed' && reading.isDown === true;
        return { complete: false, message, ended: kind === 'ended', isDown };
      }
      if (kind === 'too-deep') this.#learnReach(reading);
      open.push(...smaller);
    }
    if (this.#documents >= this.#claimedTotal) return { complete: true };
    const message = `the parts of ${showWindow(window)} show only ${this.#documents} of ${this.#claimedTotal} documents`;
    return { complete: false, message, ended: false, isDown: false };
  }

  #learnReach({ reach, total }: Extract<PartReading, { kind: 'too-deep' }>): void {
    const capped = total <= reach;
    this.#totalsCapped ||= capped;
    // If the total equals the reach, it may be capped, and there may be more.
    this.#reach = Math.min(this.#reach, capped ? reach - 1 : reach);
    this.#claimedTotal = Math.max(this.#claimedTotal, total);
  }

  /**
   * Reads a part again while it changes. A part that can't be halved is read beyond the known
   * reach, which may have been a temporary limit, unless totals are capped: within a minute a cap
   * wouldn't show.
   */
  async #readSteadily(part: Window, canBeHalved: boolean): Promise<PartReading> {
    const { clock, signal } = this.#port;
    const reach = canBeHalved || this.#totalsCapped ? this.#reach : Number.POSITIVE_INFINITY;
    for (let attempt = 1; ; attempt += 1) {
      const reading = await this.#readPart(part, reach);
      if (reading.kind !== 'unsteady' || attempt === MAX_ATTEMPTS) return reading;
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  async #readPart(part: Window, reach: number): Promise<PartReading> {
    const pages = new PageSequence(reach);
    const shared = new Set<number>();
    let end: PartReading | undefined;
    while (end === undefined) {
      const answer = await this.#page(part, pages.offset);
      if (answer.kind !== 'page') return pages.failure(answer);
      for (const document of answer.page.documents) {
        const minute = minuteOf(document.published);
        if (minute === undefined || minute === part.from || minute === part.to) {
          shared.add(document.id);
        }
        this.#visit(document);
      }
      end = pages.add(answer.page);
    }
    if (end.kind === 'complete') end = (await this.#moreBeyond(part, pages)) ?? end;
    if (end.kind === 'complete') this.#count(pages.received, shared);
    return end;
  }

  /**
   * Checks that the part has no documents that its pages don't show. The service may cap totals as it
   * caps pages, so the total alone doesn't tell. Reads what was published before the earliest document
   * and, unless the list begins with the latest, after that one. Where time zones differ, times are
   * unknown, or the list has another order, this finds nothing, and the total is trusted.
   */
  async #moreBeyond({ from, to }: Window, pages: PageSequence): Promise<PartReading | undefined> {
    const { earliest, latest, firstMinute, received } = pages;
    const allInOneMinute = earliest.documents === received;
    const last = allInOneMinute ? earliest.minute - MINUTE_MS : earliest.minute;
    // Documents outside the part would prove nothing.
    const before = last > to ? undefined : await this.#moreIn({ from, to: last }, earliest, pages);
    const isChecked = before !== undefined || firstMinute === latest.minute;
    if (isChecked || latest.minute < from) return before;
    return await this.#moreIn({ from: latest.minute, to }, latest, pages);
  }

  /** Checks that a window which begins or ends at the edge of what was read shows only that edge. */
  async #moreIn(window: Window, edge: Edge, pages: PageSequence): Promise<PartReading | undefined> {
    if (window.from >= window.to) return undefined;
    const answer = await this.#page(window, 0);
    if (answer.kind !== 'page') return answer;
    const { documents, total } = answer.page;
    const { earliest, latest } = pages;
    // One at an unknown time is neither beyond the edge nor on it.
    const minutes = documents.map(({ published }) => minuteOf(published) ?? Number.NaN);
    const beyond = minutes.some((minute) => minute < earliest.minute || minute > latest.minute);
    const onlyEdge = documents.length > 0 && minutes.every((minute) => minute === edge.minute);
    return beyond || (onlyEdge && total > edge.documents) ? pages.tooDeep() : undefined;
  }

  #count(documents: number, shared: ReadonlySet<number>): void {
    this.#documents += documents;
    for (const id of shared) {
      if (this.#atSeams.has(id)) this.#documents -= 1;
      this.#atSeams.add(id);
    }
  }

  async #page(window: Window, offset: number): Promise<PageAnswer> {
    const { page, clock, signal } = this.#port;
    for (let attempt = 0; ; attempt += 1) {
      if (clock.now() > this.#untilMs) {
        const message = `they could not be read within ${MAX_READING_MS / 60_000} minutes`;
        return { kind: 'failed', message };
      }
      try {
        signal.throwIfAborted();
        return { kind: 'page', page: await page(window, offset, signal) };
      } catch (error) {
        const failure = signal.aborted ? INTERRUPTED : failureOf(error, offset);
        const pauseMs = RETRY_PAUSES_MS[attempt];
        if (failure.isFinal || pauseMs === undefined) return failure;
        await clock.sleep(pauseMs, signal);
      }
    }
  }
}

const RETRY_PAUSES_MS = [250, 1_000, 4_000];

const INTERRUPTED = { kind: 'ended', message: 'reading was interrupted', isFinal: true } as const;

/** `isFinal`: retrying won't help. */
function failureOf(error: unknown, offset: number): NoPage & { readonly isFinal: boolean } {
  if (error instanceof AccessError || error instanceof EndlessError) {
    return { kind: 'ended', message: error.message, isFinal: true };
  }
  const { status, message } = error instanceof ServiceError ? error : noAnswer(error);
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  // Deep pages may be refused; if the first page is, the query is.
  if (isFinal && offset === 0) return { kind: 'ended', message, isFinal };
  return { kind: 'failed', message, isDown: status >= 500, isFinal };
}

/**
 * Treats a missing answer like a gateway's 504.
 * @throws errors that only a bug can cause
 */
function noAnswer(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof ServiceDownError) return { status: 504, message: error.message };
  throw error;
}

function showWindow({ from, to }: Window): string {
  const [first, last] = [from, to].map((ms) =>
    new Date(ms).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' '),
  );
  return `${first} to ${last}`;
}
