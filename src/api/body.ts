/** What a request carries. */
export interface Body {
  readonly type: 'application/json' | 'application/x-www-form-urlencoded';
  /** Sent one after another without being copied. */
  readonly pieces: readonly Uint8Array[];
}

/** A value as JSON. */
export function jsonBody(value: unknown): Body {
  return { type: 'application/json', pieces: [Buffer.from(JSON.stringify(value))] };
}

/** Parameters as form fields: a comma as `%2C`, a space as `+`. */
export function formBody(parameters: URLSearchParams): Body {
  return {
    type: 'application/x-www-form-urlencoded',
    pieces: [Buffer.from(parameters.toString())],
  };
}
