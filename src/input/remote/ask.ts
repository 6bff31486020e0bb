import type { Agent, Dispatcher } from 'undici';
import { SourceError } from '../../model/errors.js';
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
