/**
 * What came of one request, as a value. Whether a request that got no answer was applied can't be
 * known from here, so the two ways to fail are kept apart.
 */
export type Exchange =
  /** The service answered. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** `undefined` when the body is no JSON, or was too large. */
      readonly json: unknown;
      /** Why the answer can't be what the service gives, whatever its status, as half a sentence. */
      readonly unusable?: string;
      /** It came before the request had been sent to its end, so nobody can have read all of it. */
      readonly early?: true;
      /** The header field `Retry-After`, as it came: when the service may be asked again. */
      readonly retryAfter?: string;
      /** The header field `Date`, beside `retryAfter`: the time of the answer by the service's clock. */
      readonly date?: string;
    }
  /** The request never left: the name, the connection or TLS failed. */
  | { readonly kind: 'not-sent'; readonly message: string }
  /** It was sent, at least in part, and no whole answer came. */
  | {
      readonly kind: 'no-answer';
      readonly message: string;
      /** It took longer than it may. */
      readonly timedOut?: boolean;
    };

/** The exchange in which the service answered. */
export type Answer = Extract<Exchange, { kind: 'answer' }>;

/** The messages of the service's error object, or `undefined` if this is none. */
export function errorMessages(json: unknown): readonly string[] | undefined {
  if (typeof json !== 'object' || json === null || !('errors' in json)) return undefined;
  if (!Array.isArray(json.errors) || json.errors.length === 0) return undefined;
  const messages = json.errors.map((error: unknown) =>
    typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined,
  );
  return messages.every((message) => typeof message === 'string') ? messages : undefined;
}
