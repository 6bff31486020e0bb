/**
 * Why the sandbox refuses a call, with the status that it answers. The reference shows no statuses.
 */
export const REFUSAL_STATUSES = {
  /** A body, a field or a parameter that can't be used. */
  invalid: 400,
  /** Wrong or no credentials. */
  unauthorized: 401,
  /** An address, a monitoring, a search or a document that is not there. */
  notFound: 404,
  /** A method that the address does not have. */
  wrongMethod: 405,
  /** A body or a list that is too large. */
  tooLarge: 413,
  /** Another Content-Type than the call takes. */
  wrongType: 415,
  /** The sandbox is closing. */
  closing: 503,
} as const;

/** See {@link REFUSAL_STATUSES}. */
export type RefusalKind = keyof typeof REFUSAL_STATUSES;

/** Thrown to refuse a call; becomes the error object, with one message for each fault. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;
  readonly messages: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: RefusalKind,
    messages: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const list = typeof messages === 'string' ? [messages] : messages;
    super(list.join(' '));
    this.kind = kind;
    this.messages = list;
    this.headers = headers;
  }
}
