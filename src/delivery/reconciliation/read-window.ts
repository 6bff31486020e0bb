import { ServiceError } from '../../model/errors.js';
import { PageSequence, type PagesEnd } from './page-sequence.js';
import { askPage, type PagePort, type ShownDocument } from './pages.js';
import { halves, minuteBefore, minuteOf, showWindow, upTo, type Window } from './window.js';

/** Whether all documents of a window were seen. */
export type WindowReading =
  | { readonly complete: true }
  | {
      readonly complete: false;
      /** Why not, as half a sentence. */
      readonly message: string;
      /** Whether there is no use in reading again. */
      readonly ended: boolean;
      /** Whether the service could not be asked. */
      readonly isDown: boolean;
    };

/** Told of every document that is read, of some more than once. */
export type Visit = (document: ShownDocument) => void;

type PartReading = PagesEnd | { readonly kind: 'ended'; readonly message: string };

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

/**
 * Reads all documents of a window. Where there are many, or the service's pages don't reach to the
 * end or change all the time, the window is halved until they do. It ends with the first minute that
 * can't be read, so a service that is wrong everywhere isn't asked for long.
 */
export async function readWindow(
  window: Window,
  port: PagePort,
  visit: Visit,
): Promise<WindowReading> {
  const open = [window];
  const bounded = withinTime(port, port.clock.now() + MAX_READING_MS);
  const depth = new Depth();
  const parts = new PartCount();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const smaller = halves(part);
    const see = parts.counting(part, visit);
    const reading = await readSteadily(part, depth.reachFor(smaller !== undefined), bounded, see);
    if (reading.kind === 'complete') {
      parts.add(reading.documents);
      continue;
    }
    const hopeless = reading.kind === 'failed' || reading.kind === 'ended';
    if (hopeless || smaller === undefined) return broken(reading, part);
    open.push(...smaller);
    if (reading.kind === 'too-deep') depth.note(reading);
  }
  if (parts.documents >= depth.said) return { complete: true };
  const message = `of ${depth.said} documents from ${showWindow(window)} its parts show only ${parts.documents}`;
  return { complete: false, message, ended: false, isDown: false };
}

/** Gives no more pages after a time. */
function withinTime(port: PagePort, untilMs: number): PagePort {
  return {
    ...port,
    page: async (window, offset, signal) => {
      if (port.clock.now() <= untilMs) return await port.page(window, offset, signal);
      const message = `they could not be read within ${MAX_READING_MS / 60_000} minutes`;
      throw new ServiceError(message, { status: 200, messages: [] });
    },
  };
}

function broken(reading: Exclude<PartReading, { kind: 'complete' }>, part: Window): WindowReading {
  const { kind, message } = reading;
  return {
    complete: false,
    message: `the documents from ${showWindow(part)} can't all be read: ${message}`,
    ended: kind === 'ended',
    isDown: kind === 'failed' && reading.isDown === true,
  };
}

/** Reads a part again while it changes. */
async function readSteadily(
  part: Window,
  reach: number,
  port: PagePort,
  visit: Visit,
): Promise<PartReading> {
  for (let attempt = 1; ; attempt += 1) {
    const reading = await readPart(part, reach, port, visit);
    if (reading.kind !== 'unsteady' || attempt === MAX_ATTEMPTS) return reading;
    await port.clock.sleep(PAUSE_MS, port.signal);
  }
}

async function readPart(
  part: Window,
  reach: number,
  port: PagePort,
  visit: Visit,
): Promise<PartReading> {
  const pages = new PageSequence(reach);
  for (;;) {
    const answer = await askPage(port, part, pages.offset);
    if (answer.kind === 'ended') return answer;
    if (answer.kind === 'failed') return pages.failure(answer.message, answer.isDown);
    const { fresh, end } = pages.add(answer.page);
    for (const document of fresh) visit(document);
    if (end?.kind === 'complete') return confirmEnd(part, pages, end, port);
    if (end !== undefined) return end;
  }
}

/**
 * Makes sure that nothing follows a part's last document, although the total says so: totals may be
 * capped as pages are. Asks for what was published up to the minute of that document. Where zones
 * differ or times of publication are unknown, the answer tells nothing, and the total is believed.
 */
async function confirmEnd(
  part: Window,
  pages: PageSequence,
  end: Extract<PagesEnd, { kind: 'complete' }>,
  port: PagePort,
): Promise<PartReading> {
  const { oldest } = pages;
  if (oldest === undefined) return end;
  const allInOneMinute = oldest.documents === end.documents;
  const rest = upTo(part, allInOneMinute ? minuteBefore(oldest.at) : oldest.at);
  if (rest === undefined) return end;
  const answer = await askPage(port, rest, 0);
  if (answer.kind !== 'page') return answer;
  const { documents, total } = answer.page;
  const first = minuteOf(documents[0]?.published ?? null);
  const older = first !== undefined && first < oldest.at;
  const more = first === oldest.at && total > oldest.documents;
  return older || more ? pages.tooDeep() : end;
}

/** What is learnt of how deep the service gives pages, while the parts of a window are read. */
class Depth {
  #reach = MAX_DOCUMENTS;
  #totalsCapped = false;
  #said = 0;

  /** The most documents that the service said there are in what could not be read as a whole. */
  get said(): number {
    return this.#said;
  }

  /**
   * How many documents a part may have to be read as it is. One that can't be halved is tried all
   * the same: the reach may have been that of a bad moment. Unless totals are capped, since within
   * a minute nothing would tell.
   */
  reachFor(canBeHalved: boolean): number {
    return canBeHalved || this.#totalsCapped ? this.#reach : Number.POSITIVE_INFINITY;
  }

  note({ reach, total }: Extract<PagesEnd, { kind: 'too-deep' }>): void {
    const capped = total <= reach;
    this.#totalsCapped ||= capped;
    // From a capped total on, there may be more.
    this.#reach = Math.min(this.#reach, capped ? reach - 1 : reach);
    this.#said = Math.max(this.#said, total);
  }
}

/** Counts the documents of a window's parts, those of the minutes that parts share only once. */
class PartCount {
  readonly #atSeams = new Set<number>();
  /** Of the part that is being read, the documents that another one may show, too. */
  #shared = new Set<number>();
  documents = 0;

  /** Watches the documents of the next part. */
  counting({ from, to }: Window, visit: Visit): Visit {
    const shared = new Set<number>();
    this.#shared = shared;
    return (document) => {
      const minute = minuteOf(document.published);
      if (minute === undefined || minute === from || minute === to) shared.add(document.id);
      visit(document);
    };
  }

  /** The part was read to its end. */
  add(documents: number): void {
    this.documents += documents;
    for (const id of this.#shared) {
      if (this.#atSeams.has(id)) this.documents -= 1;
      this.#atSeams.add(id);
    }
  }
}
