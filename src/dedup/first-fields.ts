/** 8 MiB, enough for half a million records of eight fields. */
const MAX_ENTRIES = 4 * 1024 * 1024;

/**
 * 16-bit hashes of the fields that may change while a review stays the same, for the first documents
 * of a run: they show what differs in a duplicate. Documents beyond the limit are not stored.
 */
export class FirstFields {
  // The system provides memory only for what is written.
  readonly #entries = new Uint16Array(MAX_ENTRIES);

  /** @param fields a hash of each field */
  store(ordinal: number, fields: Uint32Array): void {
    const start = ordinal * fields.length;
    if (start + fields.length <= MAX_ENTRIES) this.#entries.set(fields, start);
  }

  /**
   * Indexes of the fields that differ from those of an earlier document.
   * @returns `undefined` if that was not stored
   */
  differing(ordinal: number, fields: Uint32Array): readonly number[] | undefined {
    const start = ordinal * fields.length;
    if (start + fields.length > MAX_ENTRIES) return undefined;
    const stored = this.#entries.subarray(start, start + fields.length);
    return [...fields.keys()].filter((at) => stored[at] !== ((fields[at] as number) & 0xffff));
  }
}
