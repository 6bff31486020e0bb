import { SourceError } from '../../model/errors.js';
import { passing, Replay } from '../pieces.js';
import type { RawInput } from '../raw-input.js';
import { ask, fetchPieces, type RemoteResponse } from './fetch-pieces.js';
import type { RequestHeaders } from './header-file.js';

/** Longest wait for a connection, for an answer to begin, and between two pieces of it. */
const CONNECT_MS = 20_000;
const ANSWER_MS = 60_000;

/** Compression that the bytes themselves tell, so that it need not be undone for them. */
const KNOWN_ENCODINGS: ReadonlySet<string> = new Set(['', 'identity', 'gzip', 'x-gzip', 'zstd']);

/** What a file is fetched with. */
export interface OpenRemoteSettings {
  readonly signal: AbortSignal | undefined;
  readonly headers: RequestHeaders | undefined;
}

/**
 * A file at an address. It is fetched once, from its start to its end; a connection that breaks is
 * taken up again where the server lets it.
 * @throws SourceError if there is no such file to be had; the signal's reason when it is aborted
 */
export async function openRemote(
  name: string,
  address: URL,
  { signal: interruption, headers }: OpenRemoteSettings,
): Promise<RawInput> {
  const { Agent } = await import('undici');
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  });
  const ending = new AbortController();
  const close = (): void => {
    ending.abort(new Error('The input is not wanted any more.'));
    agent.destroy().catch(() => {});
  };
  try {
    const signals = interruption === undefined ? [] : [interruption];
    const signal = AbortSignal.any([ending.signal, ...signals]);
    const asking = { agent, signal, ownHeaders: headers };
    const answer = await ask(address, asking).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error instanceof SourceError ? error : noAnswer(name, error);
    });
    refuseOthers(name, answer);
    const replay = new Replay(fetchPieces(answer, address, asking));
    return {
      kind: 'bytes',
      name,
      size: lengthOf(answer),
      file: null,
      isMember: false,
      decoded: false,
      charset: charsetOf(answer),
      peek: () => replay.peek(),
      read: (counted) => passing(replay.read(), counted),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function charsetOf({ headers }: RemoteResponse): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(headers['content-type'] ?? ''))?.[1];
}

function lengthOf({ headers }: RemoteResponse): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : null;
}

/** @throws SourceError for an answer that holds no file */
function refuseOthers(name: string, { statusCode, headers }: RemoteResponse): void {
  if (statusCode !== 200) {
    throw new SourceError(
      `${name} can't be fetched: the server answers with status ${statusCode}. ${remedyFor(statusCode)}`,
    );
  }
  const encoding = String(headers['content-encoding'] ?? '').toLowerCase();
  if (KNOWN_ENCODINGS.has(encoding)) return;
  throw new SourceError(
    `${name} comes compressed in a way that can't be decompressed (${encoding}): download the file.`,
  );
}

function remedyFor(status: number): string {
  if (status === 401 || status === 403) {
    return 'The link may have run out, or needs a user: get a new link, give a token in a file with --input-header-file, or download the file.';
  }
  if (status === 404 || status === 410) return 'Check the link.';
  return 'Try again later, or download the file.';
}

function noAnswer(name: string, error: unknown): SourceError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code ?? message;
  const remedy = /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(reason)
    ? 'its certificate is not trusted. If a private authority signed it, name a file of that in NODE_EXTRA_CA_CERTS.'
    : 'check the link and the network.';
  return new SourceError(`${name} can't be fetched (${reason}): ${remedy}`);
}
