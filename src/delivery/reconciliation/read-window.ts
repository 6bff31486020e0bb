import { documentCalls } from '../../api/documents.js';
import type { Transport } from '../../api/transport/http-transport.js';
import { AccessError, ServiceDownError, ServiceError } from '../../model/errors.js';
import type { Clock } from '../clock.js';
import { halves, MINUTE_MS, type Window } from './window.js';

export interface ShownDocument {
  /** Unique on the platform: a safe integer. */
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly published: string | null;
}

/** Page of documents, the most recently published first. */
export interface ShownPage {
  readonly documents: readonly ShownDocument[];
  /** Number of documents on all pages; a safe integer, at least 0. */
  readonly total: number;
}

/** Fetches a page of a window, after `offset` documents. Rejects as a `Client` does. */
export type FetchPage = (window: Window, offset: number, signal: AbortSignal) => Promise<ShownPage>;

export interface PagePort {
  readonly page: FetchPage;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly signal: AbortSignal;
}

/** Network of imported reviews; every imported document gets it. */
export const IMPORTED_SOURCE = 'RVW';

/** Fetches pages of one monitoring: `POST /documents`. */
export function servicePages(transport: Transport, monitoring: number): FetchPage {
  const documents = documentCalls({ transport, filterMethod: 'POST' });
  return ({ from, to }, offset, signal) => {
    const span = { start: new Date(from), end: new Date(to) };
    const filters = {
      monitorings: monitoring,
      sources: [IMPORTED_SOURCE],
      ...span,
      offset,
    } as const;
    return documents.page(filters, { signal });
  };
}

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

type PartReading =
  | { readonly kind: 'complete' }
  /** The service gives only the first `reach` of `total` documents. */
  | {
      readonly kind: 'too-deep';
      readonly reach: number;
      readonly total: number;
      readonly message: string;
    }
  | { readonly kind: 'unsteady'; readonly message: string }
  | NoPage;

type PageAnswer = { readonly kind: 'page'; readonly page: ShownPage } | NoPage;

type NoPage =
  /** No usable page, at least for now. */
  | { readonly kind: 'failed'; readonly message: string; readonly isDown?: boolean }
  /** Retrying can't succeed: the run is interrupted, or reading isn't allowed. */
  | { readonly kind: 'ended'; readonly message: string };

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

/** Maximum number of requests of a reading: for some 200,000 documents, and more for each one sought. */
const MIN_REQUESTS = 2_000;
const REQUESTS_PER_DOCUMENT = 20;

/**
 * Bounds the requests of a reading, however the service lists its documents.
 * @param sought number of documents that the reading is for
 */
export function boundedPages({ page, ...port }: PagePort, sought: number): PagePort {
  const maxRequests = MIN_REQUESTS + REQUESTS_PER_DOCUMENT * sought;
  let requests = 0;
  return {
    ...port,
    page: async (window, offset, signal) => {
      requests += 1;
      if (requests > maxRequests) throw new EndlessError(maxRequests);
      return await page(window, offset, signal);
    },
  };
}

class EndlessError extends Error {
  constructor(maxRequests: number) {
    super(
      `${maxRequests} requests weren't enough to read all documents, so the reading was stopped`,
    );
  }
}

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

/** First or last minute of publication of a part's documents, and how many share it. */
interface Edge {
  readonly minute: number;
  readonly documents: number;
}

function withDocument(edge: Edge, minute: number): Edge {
  return { minute, documents: minute === edge.minute ? edge.documents + 1 : 1 };
}

/**
 * Checks from a part's successive pages whether together they hold all documents. Each page is
 * requested from the last document of the page before: if it doesn't begin with that document,
 * documents came or went and shifted the pages, and one may have been missed.
 */
class PageSequence {
  readonly #reach: number;
  #total: number | undefined;
  /** Ids of the last page that wasn't empty. */
  #last: readonly number[] = [];
  received = 0;
  /** Minute of the document that was listed first. */
  firstMinute: number | undefined;
  earliest: Edge = { minute: Number.POSITIVE_INFINITY, documents: 0 };
  latest: Edge = { minute: Number.NEGATIVE_INFINITY, documents: 0 };

  /** @param reach how many documents deep the service is known to page, or `Infinity` */
  constructor(reach: number) {
    this.#reach = reach;
  }

  get offset(): number {
    return this.received - this.#overlap;
  }

  /** Pages of a single document can't overlap, or reading would never advance. */
  get #overlap(): number {
    return this.#last.length > 1 ? 1 : 0;
  }

  /** Adds the next page; returns the part's result if this page ends it. */
  add({ documents, total }: ShownPage): PartReading | undefined {
    this.#total ??= total;
    if (total !== this.#total) {
      const message = `the number of documents went from ${this.#total} to ${total} between two pages`;
      return { kind: 'unsteady', message };
    }
    if (total > this.#reach) return this.tooDeep(this.#reach);
    if (!this.#continues(documents)) {
      const message = `the page at offset ${this.offset} doesn't continue the one before`;
      return { kind: 'unsteady', message };
    }
    const added = documents.slice(this.#overlap);
    this.received += added.length;
    if (documents.length > 0) this.#last = documents.map(({ id }) => id);
    for (const { published } of added) {
      const minute = minuteOf(published);
      if (minute === undefined) continue;
      this.firstMinute ??= minute;
      if (minute <= this.earliest.minute) this.earliest = withDocument(this.earliest, minute);
      if (minute >= this.latest.minute) this.latest = withDocument(this.latest, minute);
    }
    return this.#end(added.length, total);
  }

  /** Result of a part whose next page failed. If no page came before, the service may be down. */
  failure(failure: NoPage): PartReading {
    const isDeep = failure.kind === 'failed' && this.received > 0;
    return isDeep ? this.tooDeep(this.received, failure.message) : failure;
  }

  /** Result of a part with more documents than the service gives pages of. */
  tooDeep(
    reach: number = this.received,
    message: string = `the service gives pages of only the first ${reach} documents`,
  ): PartReading {
    return { kind: 'too-deep', reach, total: this.#total ?? 0, message };
  }

  /** Returns whether a page continues the one before. An empty page does: it is the end. */
  #continues(documents: readonly ShownDocument[]): boolean {
    const first = documents[0];
    if (first === undefined) return true;
    if (this.#overlap === 1) return first.id === this.#last.at(-1);
    return !documents.some(({ id }) => this.#last.includes(id));
  }

  #end(added: number, total: number): PartReading | undefined {
    if (this.received > total) {
      const message = `there are more documents than the total of ${total}`;
      return { kind: 'unsteady', message };
    }
    if (this.received === total) return { kind: 'complete' };
    if (added > 0) return undefined;
    if (this.received > 0) return this.tooDeep();
    const message = `the service reports ${total} documents but shows none`;
    return { kind: 'failed', message };
  }
}

/** Minute of publication, in milliseconds since 1970; `undefined` if unreadable. */
function minuteOf(published: string | null): number | undefined {
  const ms = published === null ? Number.NaN : Date.parse(published);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

function showWindow({ from, to }: Window): string {
  const [first, last] = [from, to].map((ms) =>
    new Date(ms).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' '),
  );
  return `${first} to ${last}`;
}
