import { type Answer, type Exchange, errorMessages } from '../api/exchange.js';

/** What is known of a batch's documents after its request. Failures are values, never thrown. */
export type Verdict =
  /** The service says that it took all of them. */
  | { readonly kind: 'accepted' }
  /** The service says that it took none of them, and why. */
  | { readonly kind: 'rejected'; readonly message: string }
  /** The service refuses these credentials or this monitoring: nothing more can be sent. */
  | { readonly kind: 'no-access'; readonly message: string }
  /** The request never left this machine. */
  | { readonly kind: 'unsent'; readonly message: string }
  /** They may or may not have been taken. */
  | { readonly kind: 'unknown'; readonly message: string };

/**
 * Tells what an import request's outcome means for its documents. Only a 2xx answer in JSON with
 * `accepted: true` and exactly as many `documents` as were sent, to a request that was sent to its
 * end, is a success, and only an error object with a 4xx status (408 aside) is a refusal; all else
 * is uncertain.
 * @param sent how many documents the request carried
 */
export function classifyAnswer(exchange: Exchange, sent: number): Verdict {
  switch (exchange.kind) {
    case 'not-sent':
      return { kind: 'unsent', message: exchange.message };
    case 'no-answer':
      return { kind: 'unknown', message: `no answer came: ${exchange.message}` };
    case 'answer':
      return classifyStatus(exchange, sent);
    default:
      return exchange satisfies never;
  }
}

function classifyStatus(answer: Answer, sent: number): Verdict {
  const { status, json } = answer;
  const said = errorMessages(json)?.join('; ');
  if (status >= 200 && status < 300) return classifySuccess(answer, sent);
  const refused = status >= 400 && status < 500 && status !== 408 && said !== undefined;
  if (!refused) return { kind: 'unknown', message: `the service answered ${status}${colon(said)}` };
  const message = `the service refused (${status})${colon(said)}`;
  const noAccess = status === 401 || status === 403 || status === 404;
  return { kind: noAccess ? 'no-access' : 'rejected', message };
}

function classifySuccess({ status, json, early }: Answer, sent: number): Verdict {
  if (early) {
    const message = `the service answered ${status} before it had the whole request`;
    return { kind: 'unknown', message };
  }
  if (typeof json !== 'object' || json === null) {
    return { kind: 'unknown', message: `the service answered ${status} without readable JSON` };
  }
  const { accepted, documents } = json as { accepted?: unknown; documents?: unknown };
  if (accepted === true && documents === sent) return { kind: 'accepted' };
  const said = errorMessages(json)?.join('; ');
  const message =
    accepted === true
      ? `the service says it took ${String(documents)} of ${sent} documents`
      : `the service answered ${status} but did not say accepted`;
  return { kind: 'unknown', message: `${message}${colon(said)}` };
}

function colon(said: string | undefined): string {
  return said === undefined ? '' : `: ${said}`;
}
