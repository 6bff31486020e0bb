import { documentCalls } from '../../api/documents.js';
import type { Transport } from '../../api/transport/http-transport.js';
import { AccessError, ServiceDownError, ServiceError } from '../../model/errors.js';
import type { Clock } from '../context.js';
import { halves, MINUTE_MS, type Window } from './window.js';

/** What of a document reconciliation looks at. */
export interface ShownDocument {
  /** Unique on the platform: a safe integer. */
  readonly id: number;
  readonly source: string;
  readonly sourceId: string;
  /** ISO 8601. */
  readonly published: string | null;
}

/** One page of what the service shows, the most recently published first. */
export interface ShownPage {
  readonly documents: readonly ShownDocument[];
  /** How many there are on all pages: a safe integer of at least 0. */
  readonly total: number;
}

/** Asks for the page of a window behind so many documents. Rejects as a `Client` does. */
export type ShowPage = (window: Window, offset: number, signal: AbortSignal) => Promise<ShownPage>;

/** What reading needs from outside. */
export interface PagePort {
  readonly page: ShowPage;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Ends reading and waiting. */
  readonly signal: AbortSignal;
}

/** The network that imported reviews belong to: every document is made with it. */
export const IMPORTED_SOURCE = 'RVW';

/** Asks the service for pages of one monitoring: `POST /documents`. */
export function servicePages(transport: Transport, monitoring: number): ShowPage {
  // No filter that warnings are about is set here.
  const documents = documentCalls({ transport, filterMethod: 'POST', warn: () => {} });
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

/** Whether all documents of a window were seen. */
type WindowReading = { readonly complete: true } | BrokenReading;

/** A window of which not all documents were seen. */
export interface BrokenReading {
  readonly complete: false;
  /** Why not, as half a sentence. */
  readonly message: string;
  /** Whether there is no use in reading again. */
  readonly ended: boolean;
  /** Whether the service could not be asked. */
  readonly isDown: boolean;
}

/**
 * Reads all documents of a window. Where there are many, or the service's pages don't reach to the
 * end or change all the time, the window is halved until they do. It ends with the first minute that
 * can't be read, so a service that is wrong everywhere isn't asked for long.
 * @param visit told of every document that is read, of some more than once
 */
export async function readWindow(
  window: Window,
  port: PagePort,
  visit: (document: ShownDocument) => void,
): Promise<WindowReading> {
  return await new WindowReader(port, visit).read(window);
}

/** What the pages of a part came to. */
type PartReading =
  | { readonly kind: 'complete' }
  /** The service gives no more than `reach` of the `total` documents that it says are there. */
  | {
      readonly kind: 'too-deep';
      readonly reach: number;
      readonly total: number;
      readonly message: string;
    }
  /** What there is changed from one page to the next. */
  | { readonly kind: 'unsteady'; readonly message: string }
  | NoPage;

type PageAnswer = { readonly kind: 'page'; readonly page: ShownPage } | NoPage;

type NoPage =
  /** No page could be had, or used, at least for now. */
  | { readonly kind: 'failed'; readonly message: string; readonly isDown?: boolean }
  /** There is no use in asking again: the run is interrupted, or nothing may be read. */
  | { readonly kind: 'ended'; readonly message: string };

/** How often a part is read that changes while it is read, before it is halved. */
const MAX_ATTEMPTS = 3;
const PAUSE_MS = 1_000;
/**
 * A part with more documents than this is halved at once: search engines skip documents at a cost
 * for each, so that all pages of a large part take the square of its size, or they refuse to.
 */
const MAX_DOCUMENTS = 10_000;
/** Ends what has no end, such as a total that is never reached: all documents there are take less. */
const MAX_READING_MS = 60 * 60_000;

/** Reads the parts of one window, and learns meanwhile how deep the service gives pages. */
class WindowReader {
  readonly #port: PagePort;
  readonly #visit: (document: ShownDocument) => void;
  readonly #untilMs: number;
  /** How many documents deep pages are given, as far as that is known. */
  #reach = MAX_DOCUMENTS;
  #totalsCapped = false;
  /** The most documents that the service said there are in what could not be read as a whole. */
  #said = 0;
  /** How many documents the parts held that were read. */
  #documents = 0;
  /** Those in the minutes that two parts share, which are counted once. */
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
    if (this.#documents >= this.#said) return { complete: true };
    const message = `of ${this.#said} documents from ${showWindow(window)} its parts show only ${this.#documents}`;
    return { complete: false, message, ended: false, isDown: false };
  }

  #learnReach({ reach, total }: Extract<PartReading, { kind: 'too-deep' }>): void {
    const capped = total <= reach;
    this.#totalsCapped ||= capped;
    // From a capped total on, there may be more.
    this.#reach = Math.min(this.#reach, capped ? reach - 1 : reach);
    this.#said = Math.max(this.#said, total);
  }

  /**
   * Reads a part again while it changes. One that can't be halved is read however many documents it
   * has: the reach may have been that of a bad moment. Unless totals are capped, since within a
   * minute nothing would tell.
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
    if (end.kind === 'complete') end = (await this.#moreBehind(part, pages)) ?? end;
    if (end.kind === 'complete') this.#count(pages.received, shared);
    return end;
  }

  /**
   * Whether something follows a part's last document, although the total says that nothing does:
   * totals may be capped as pages are. Asks for what was published up to the minute of that
   * document. Where zones differ or times of publication are unknown, the answer tells nothing, and
   * the total is believed.
   */
  async #moreBehind({ from }: Window, pages: PageSequence): Promise<PartReading | undefined> {
    const { oldest } = pages;
    if (oldest === undefined) return undefined;
    const allInOneMinute = oldest.documents === pages.received;
    const to = allInOneMinute ? oldest.minute - MINUTE_MS : oldest.minute;
    if (from >= to) return undefined;
    const answer = await this.#page({ from, to }, 0);
    if (answer.kind !== 'page') return answer;
    const { documents, total } = answer.page;
    const first = minuteOf(documents[0]?.published ?? null);
    const older = first !== undefined && first < oldest.minute;
    const more = first === oldest.minute && total > oldest.documents;
    return older || more ? pages.tooDeep() : undefined;
  }

  #count(documents: number, shared: ReadonlySet<number>): void {
    this.#documents += documents;
    for (const id of shared) {
      if (this.#atSeams.has(id)) this.#documents -= 1;
      this.#atSeams.add(id);
    }
  }

  /** Asks for a page, a few times if need be: the question changes nothing. */
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
        const pauseMs = PAUSES_MS[attempt];
        if (failure.isFinal || pauseMs === undefined) return failure;
        await clock.sleep(pauseMs, signal);
      }
    }
  }
}

/** Between attempts. A page that comes late is as good: what changed meanwhile shows in it. */
const PAUSES_MS = [250, 1_000, 4_000];

const INTERRUPTED = { kind: 'ended', message: 'looking was interrupted', isFinal: true } as const;

/** `isFinal`: another attempt won't go better. */
function failureOf(error: unknown, offset: number): NoPage & { readonly isFinal: boolean } {
  if (error instanceof AccessError) return { kind: 'ended', message: error.message, isFinal: true };
  const { status, message } = error instanceof ServiceError ? error : noAnswer(error);
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  // Deep pages may be refused; where the first one is, the question is.
  if (isFinal && offset === 0) return { kind: 'ended', message, isFinal };
  return { kind: 'failed', message, isDown: status >= 500, isFinal };
}

/** As if a gateway had said so. @throws what is a mistake of the program */
function noAnswer(error: unknown): { readonly status: number; readonly message: string } {
  if (error instanceof ServiceDownError) return { status: 504, message: error.message };
  throw error;
}

/**
 * Tells from the pages of a part, one after the other, whether together they hold all documents that
 * there are. Each page is asked for from the last document of the page before: if it doesn't begin
 * with it, documents came or went and shifted the pages, and one may have slipped through.
 */
class PageSequence {
  readonly #reach: number;
  #total: number | undefined;
  /** The ids of the last page that held any. */
  #last: readonly number[] = [];
  /** How many documents were received. */
  received = 0;
  /**
   * The minute in which the last of them was published, and how many were; `undefined`: nothing was
   * received, or the last document doesn't tell.
   */
  oldest: { readonly minute: number; readonly documents: number } | undefined;

  /** @param reach how many documents deep the service is known to give pages, or `Infinity` */
  constructor(reach: number) {
    this.#reach = reach;
  }

  /** How many documents to skip for the next page. */
  get offset(): number {
    return this.received - this.#overlap;
  }

  /** From a page with a single document there would be no getting on. */
  get #overlap(): number {
    return this.#last.length > 1 ? 1 : 0;
  }

  /** Takes in the next page; says how it ends, if it does. */
  add({ documents, total }: ShownPage): PartReading | undefined {
    this.#total ??= total;
    if (total !== this.#total) {
      const message = `the number of documents went from ${this.#total} to ${total} between two pages`;
      return { kind: 'unsteady', message };
    }
    if (total > this.#reach) return this.tooDeep(this.#reach);
    if (!this.#continues(documents)) {
      const message = `the page at offset ${this.offset} does not go on where the one before ended`;
      return { kind: 'unsteady', message };
    }
    const fresh = documents.slice(this.#overlap);
    this.received += fresh.length;
    if (documents.length > 0) this.#last = documents.map(({ id }) => id);
    for (const { published } of fresh) {
      const minute = minuteOf(published);
      const before = this.oldest?.minute === minute ? (this.oldest?.documents ?? 0) : 0;
      this.oldest = minute === undefined ? undefined : { minute, documents: before + 1 };
    }
    return this.#end(fresh.length, total);
  }

  /** What it means that the next page could not be had; a service that is down gives no first one. */
  failure(failure: NoPage): PartReading {
    const isDeep = failure.kind === 'failed' && this.received > 0;
    return isDeep ? this.tooDeep(this.received, failure.message) : failure;
  }

  /** That there is more than was received, of which the service gives no pages. */
  tooDeep(
    reach: number = this.received,
    message: string = `the service gives pages of only the first ${reach} documents`,
  ): PartReading {
    return { kind: 'too-deep', reach, total: this.#total ?? 0, message };
  }

  /** An empty page goes on: as the end. */
  #continues(documents: readonly ShownDocument[]): boolean {
    const first = documents[0];
    if (first === undefined) return true;
    if (this.#overlap === 1) return first.id === this.#last.at(-1);
    return !documents.some(({ id }) => this.#last.includes(id));
  }

  #end(fresh: number, total: number): PartReading | undefined {
    if (this.received > total) {
      const message = `there are more documents than the ${total} that the service says`;
      return { kind: 'unsteady', message };
    }
    if (this.received === total) return { kind: 'complete' };
    if (fresh > 0) return undefined;
    if (this.received > 0) return this.tooDeep();
    const message = `the service says that there are ${total} documents, and shows none`;
    return { kind: 'failed', message };
  }
}

/** The minute in which a document was published, in milliseconds since 1970, if that can be read. */
function minuteOf(published: string | null): number | undefined {
  const ms = published === null ? Number.NaN : Date.parse(published);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** A window as messages name it. */
function showWindow({ from, to }: Window): string {
  const [first, last] = [from, to].map((ms) =>
    new Date(ms).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' '),
  );
  return `${first} to ${last}`;
}
