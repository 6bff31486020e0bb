import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** SQLite's, where nothing else is said. */
const PAGE_BYTES = 4096;

type Damage = (bytes: Buffer, below: (limit: number) => number) => Buffer | undefined;

/** What may become of a database's file; `undefined`: it is gone. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  bits: (bytes, below) => {
    for (let flips = 1 + below(8); flips > 0; flips -= 1) {
      const at = below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
    }
    return bytes;
  },
  bytes: (bytes, below) => {
    const from = below(bytes.length);
    const to = Math.min(bytes.length, from + 1 + below(300));
    for (let at = from; at < to; at += 1) bytes[at] = below(256);
    return bytes;
  },
  'a page of one byte': (bytes, below) => {
    const at = pageIn(bytes, below);
    return bytes.fill(below(2) * below(256), at, at + PAGE_BYTES);
  },
  'pages that are swapped': (bytes, below) => {
    const [one, other] = [pageIn(bytes, below), pageIn(bytes, below)];
    const kept = Buffer.from(bytes.subarray(one, one + PAGE_BYTES));
    bytes.copy(bytes, one, other, other + PAGE_BYTES);
    kept.copy(bytes, other);
    return bytes;
  },
  'a page over another': (bytes, below) => {
    const [one, other] = [pageIn(bytes, below), pageIn(bytes, below)];
    bytes.copy(bytes, one, other, other + PAGE_BYTES);
    return bytes;
  },
  truncation: (bytes, below) => bytes.subarray(0, below(bytes.length)),
  'something at its end': (bytes, below) =>
    Buffer.concat([bytes, Buffer.alloc(1 + below(10_000), below(256))]),
  'another file': (_, below) => Buffer.from('id,text\n1,Good\n'.repeat(below(500))),
  emptiness: () => Buffer.alloc(0),
  absence: () => undefined,
};

/**
 * Does something to a file, by chance; says what.
 * @param spared how many bytes at its end stay as they are
 */
export function damageFile(
  file: string,
  random: () => number,
  { names = Object.keys(DAMAGES), spared = 0 }: { names?: readonly string[]; spared?: number } = {},
): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  const name = names[below(names.length)] as string;
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const end = Buffer.from(bytes.subarray(bytes.length - spared));
  const damaged = DAMAGES[name]?.(bytes.subarray(0, bytes.length - spared), below);
  if (damaged === undefined) rmSync(file, { force: true });
  else writeFileSync(file, Buffer.concat([damaged, end]));
  return name;
}

function pageIn(bytes: Buffer, below: (limit: number) => number): number {
  return below(Math.max(1, Math.floor(bytes.length / PAGE_BYTES))) * PAGE_BYTES;
}
