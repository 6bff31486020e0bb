import { ServiceError } from '../../model/errors.js';
import { askPage } from './ask-page.js';
import { Depth } from './depth.js';
import { PageSequence, type PagesEnd } from './page-sequence.js';
import { isShared, PartCount } from './part-count.js';
import { type PagePort, pause, type ShownDocument } from './port.js';
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
    };

/** Told of every document that is read, of some more than once. */
export type Visit = (document: ShownDocument) => void;

type PartReading = PagesEnd | { readonly kind: 'ended'; readonly message: string };

/** How often a part is read that changes while it is read, before it is halved. */
const MOST_ATTEMPTS = 3;
const PAUSE_MS = 1_000;
/** Ends what has no end, such as a total that is never reached: all documents there are take less. */
const MAX_READING_MS = 60 * 60_000;

/**
 * Reads all documents of a window. Where the service's pages don't reach to the end, or change all
 * the time, the window is halved until they do. It ends with the first minute that can't be read, so
 * a service that is wrong everywhere isn't asked for long.
 */
export async function readWindow(
  window: Window,
  port: PagePort,
  visit: Visit,
): Promise<WindowReading> {
  const open = [window];
  const bounded = withinTime(port, port.clock.now() + MAX_READING_MS);
  const depth = new Depth();
  const count = new PartCount();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const smaller = halves(part);
    const shared = new Set<number>();
    const reading = await readSteadily(
      part,
      depth.reachFor(smaller !== undefined),
      bounded,
      (one) => {
        if (isShared(one, part)) shared.add(one.id);
        visit(one);
      },
    );
    if (reading.kind === 'complete') {
      count.add(reading.documents, shared);
      continue;
    }
    const hopeless = reading.kind === 'failed' || reading.kind === 'ended';
    if (hopeless || smaller === undefined) return broken(reading, part);
    open.push(...smaller);
    if (reading.kind === 'too-deep') depth.note(reading);
  }
  if (count.documents >= depth.said) return { complete: true };
  const message = `of ${depth.said} documents from ${showWindow(window)} its parts show only ${count.documents}`;
  return { complete: false, message, ended: false };
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

function broken(
  { kind, message }: Exclude<PartReading, { kind: 'complete' }>,
  part: Window,
): WindowReading {
  return {
    complete: false,
    message: `the documents from ${showWindow(part)} can't all be read: ${message}`,
    ended: kind === 'ended',
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
    if (reading.kind !== 'unsteady' || attempt === MOST_ATTEMPTS) return reading;
    await pause(port, PAUSE_MS);
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
    if (answer.kind === 'failed') return pages.failure(answer.message);
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
