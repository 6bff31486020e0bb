/** The documents of a request whose fate is unknown. */
export interface Doubt {
  /** Their sourceIds. One that is `null` can't be looked for and stays undecided. */
  readonly ids: readonly (string | null)[];
  /** The first and the last `published` among them, ISO 8601 in UTC; `null`: not known. */
  readonly published: { readonly from: string; readonly to: string } | null;
  /**
   * When the request ended, in milliseconds since 1970; for one that a crash cut off, when it
   * began.
   */
  readonly endedMs: number;
}

/** What looking made of a doubt. Every index into its `ids` stands in one of the first three. */
export interface ResolvedDoubt {
  /** They are there. So is one that the monitoring held before the request. */
  readonly accepted: readonly number[];
  /**
   * They are not there, and won't come if the service applies a request within the quiet time.
   * Where it may take longer, sending them again makes duplicates.
   */
  readonly absent: readonly number[];
  readonly undecided: readonly number[];
  /** Those of `accepted` that the service showed more than once. */
  readonly twice: readonly number[];
  /**
   * Whether all that keeps the undecided from being absent is that nothing was acknowledged after
   * the request: nothing proves that readings show what came later. Once a document is
   * acknowledged, ask again. If there is no other left to send, one of the undecided will do; it
   * alone is then in danger of being there twice, and if it is, `twice` names it.
   */
  readonly needsProof: boolean;
  /** How long after the request's end the last reading began, in milliseconds; `null`: none was made. */
  readonly lookedAfterMs: number | null;
  /** Why something stayed undecided; `null`: nothing did. */
  readonly reason: string | null;
}

/** How patiently to look. All in milliseconds. */
export interface ReadBackSettings {
  /** The least quiet time. 60,000 is usual. */
  readonly quietMs: number;
  /** How long the client waits for an answer: the quiet time is no shorter. */
  readonly timeoutMs: number;
  /** How long to go on looking once the least quiet time is over, before the rest stays undecided. */
  readonly giveUpMs: number;
}
