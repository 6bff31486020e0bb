import { setTimeout as wait } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { SourceError } from '../../model/errors.js';
import { BrokenInput } from '../broken-input.js';
import { checkAddress, shownAddress } from './address.js';
import type { RequestHeaders } from './header-file.js';

/** An answer that is no redirect; its body has not been read. */
export type RemoteResponse = Dispatcher.ResponseData;

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What a request is made with. */
export interface Asking {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly headers?: RequestHeaders;
  /** Of the user, who may have a token for the address; no other origin gets them. */
  readonly ownHeaders?: RequestHeaders | undefined;
}

/**
 * Fetches an address, through a few redirects, each of which may be fetched as the first may.
 * @throws SourceError for a redirect that leads nowhere; what undici throws if there is no answer
 */
export async function ask(
  address: URL,
  { agent, signal, headers, ownHeaders }: Asking,
): Promise<RemoteResponse> {
  const { request } = await import('undici');
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await request(url, {
      dispatcher: agent,
      signal,
      // What is compressed is decompressed here, whoever compressed it; resuming needs the bytes as they lie.
      headers: {
        accept: '*/*',
        ...(url.origin === address.origin ? ownHeaders : {}),
        'accept-encoding': 'identity',
        ...headers,
      },
    });
    if (!REDIRECTS.has(answer.statusCode)) return answer;
    await answer.body.dump();
    url = redirected(url, answer);
  }
  throw new SourceError(
    `${shownAddress(address)} leads from one address to the next more than ${MAX_REDIRECTS} times: check the link.`,
  );
}

function redirected(from: URL, { headers: { location } }: RemoteResponse): URL {
  const target = Array.isArray(location) ? location[0] : location;
  if (target === undefined || !URL.canParse(target, from.href)) {
    throw new SourceError(`${shownAddress(from)} leads to no address: check the link.`);
  }
  const to = checkAddress(new URL(target, from).href);
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new SourceError(
      `${shownAddress(from)} leads to an address without HTTPS, ${shownAddress(to)}, which is not followed: download the file.`,
    );
  }
  return to;
}

const REMEDY = 'Run the import again, or download the file first.';

/**
 * The pieces of a file. When the connection breaks, the rest is asked for, if the server can tell
 * that it is still the same file.
 * @throws BrokenInput if it can't be fetched to its end
 */
export async function* fetchPieces(
  first: RemoteResponse,
  address: URL,
  asking: Asking,
): AsyncGenerator<Uint8Array, void, undefined> {
  const validator = validatorOf(first);
  const resumption = new Resumption();
  let answer = first;
  let received = 0;
  for (;;) {
    let failure = 'it ends early';
    try {
      for await (const piece of answer.body as AsyncIterable<Uint8Array>) {
        received += piece.length;
        resumption.progress();
        yield piece;
      }
      if (isWhole(first, received)) return;
    } catch (error) {
      failure = reasonOf(error);
    }
    asking.signal.throwIfAborted();
    const next =
      validator === undefined
        ? undefined
        : await rest(address, { asking, validator, resumption, received });
    if (next === undefined) {
      throw new BrokenInput(`the connection broke after ${received} bytes (${failure})`, REMEDY);
    }
    answer = next;
  }
}

function isWhole({ headers }: RemoteResponse, received: number): boolean {
  const length = headers['content-length'];
  return length === undefined || Number(length) === received;
}

/** What tells that it is still the same file, if the server gives parts of it. */
function validatorOf({ headers }: RemoteResponse): string | undefined {
  if (String(headers['accept-ranges'] ?? '').toLowerCase() !== 'bytes') return undefined;
  const tag = headers['etag'];
  // A weak tag doesn't say that every byte is the same.
  const validator =
    typeof tag === 'string' && !tag.startsWith('W/') ? tag : headers['last-modified'];
  return typeof validator === 'string' ? validator : undefined;
}

interface Resuming {
  readonly asking: Asking;
  readonly validator: string;
  readonly resumption: Resumption;
  /** Bytes that have come. */
  readonly received: number;
}

/** The answer with the rest; `undefined` if it can't be had. */
async function rest(
  address: URL,
  { asking, validator, resumption, received }: Resuming,
): Promise<RemoteResponse | undefined> {
  const headers = { range: `bytes=${received}-`, 'if-range': validator };
  for (let ms = resumption.next(); ms !== undefined; ms = resumption.next()) {
    await wait(ms, undefined, { signal: asking.signal });
    const answer = await ask(address, { ...asking, headers }).catch(() => undefined);
    asking.signal.throwIfAborted();
    if (answer === undefined) continue;
    if (startsAt(answer, received)) return answer;
    await answer.body.dump({ limit: 0 }).catch(() => {});
    if (!isPassing(answer.statusCode)) {
      throw new BrokenInput(
        `the connection broke after ${received} bytes, and the rest can't be had: it is not the same file any more (status ${answer.statusCode})`,
        REMEDY,
      );
    }
  }
  return undefined;
}

function startsAt({ statusCode, headers }: RemoteResponse, byte: number): boolean {
  return statusCode === 206 && String(headers['content-range']).startsWith(`bytes ${byte}-`);
}

/** Whether it may be otherwise in a moment. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

const MAX_IN_A_ROW = 4;
const MAX_IN_ALL = 50;
const FIRST_WAIT_MS = 250;

/** Decides whether a connection that broke is taken up again: a few times in a row without a byte. */
export class Resumption {
  #inARow = 0;
  #inAll = 0;

  /** Something has come. */
  progress(): void {
    this.#inARow = 0;
  }

  /** How long to wait before the next try, in milliseconds; `undefined` if that was enough. */
  next(): number | undefined {
    if (this.#inARow === MAX_IN_A_ROW || this.#inAll === MAX_IN_ALL) return undefined;
    const wait = FIRST_WAIT_MS * 2 ** this.#inARow;
    this.#inARow += 1;
    this.#inAll += 1;
    return wait;
  }
}
