/** HTTP status of each reason for refusing a call. The reference shows no statuses. */
export const REFUSAL_STATUSES = {
  invalid: 400,
  unauthorized: 401,
  /** A path, monitoring, search or document does not exist. */
  notFound: 404,
  wrongMethod: 405,
  tooLarge: 413,
  wrongType: 415,
  closing: 503,
} as const;

export type RefusalKind = keyof typeof REFUSAL_STATUSES;

/** Refuses a call; answered as the error object, with one message for each mistake. */
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
