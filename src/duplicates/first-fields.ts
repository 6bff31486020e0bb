/** Entries that are kept: 8 MiB, whatever the run's size; half a million records of eight fields. */
const MAX_ENTRIES = 4 * 1024 * 1024;

/**
 * What the first documents of a run held in the fields that may change while a review stays the
 * same, as 16 bits of a hash each: so that of a repeat it can be said what differs. Documents
 * beyond the room are not kept.
 */
export class FirstFields {
  readonly #most: number;
  #kept = new Uint16Array(1024);

  /** @param most most entries to keep */
  constructor(most: number = MAX_ENTRIES) {
    this.#most = most;
  }

  /** @param fields a hash of each field */
  keep(ordinal: number, fields: Uint32Array): void {
    const end = (ordinal + 1) * fields.length;
    if (end > this.#most) return;
    if (end > this.#kept.length) {
      const larger = new Uint16Array(Math.min(this.#most, Math.max(end, this.#kept.length * 2)));
      larger.set(this.#kept);
      this.#kept = larger;
    }
    this.#kept.set(fields, ordinal * fields.length);
  }

  /**
   * Which fields differ from those of a document that was kept, as their indexes.
   * @returns `undefined` if it was not kept
   */
  differing(ordinal: number, fields: Uint32Array): readonly number[] | undefined {
    const start = ordinal * fields.length;
    if (start + fields.length > this.#most) return undefined;
    const indexes = Array.from(fields, (_, index) => index);
    return indexes.filter((at) => this.#kept[start + at] !== ((fields[at] as number) & 0xffff));
  }
}
