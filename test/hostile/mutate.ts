/** What stands in broken files more often than chance would put it there. */
const TOKENS: readonly Uint8Array[] = [
  ...['"', '""', "'", ',', ';', '\t', '\n', '\r', '\r\n', '\\', '\\"', '\0', '\ufeff', '=1+1', '#'],
  ...['{', '}', '[', ']', '{"', '":', '\\ud800', '\\u0000', '1e999', '9007199254740993', 'null'],
  ...['__proto__', 'constructor', '2024-03-31T02:30', '2024-02-30', '<b', '&#x0;', '\u202e', '🙂'],
  ...['"'.repeat(99), '['.repeat(3000), '{"a":'.repeat(3000), ' '.repeat(2000), ','.repeat(999)],
].map((text) => Buffer.from(text));
const BYTES: readonly Uint8Array[] = [
  ...[0x00, 0x80, 0xc0, 0xed, 0xf4, 0xfe, 0xff].map((byte) => Uint8Array.of(byte)),
  Uint8Array.of(0xff, 0xfe),
  Uint8Array.of(0x1f, 0x8b),
  Uint8Array.of(0xed, 0xa0, 0x80),
];

/** A copy of a file with a few mistakes in it, the same ones for the same random numbers. */
export function mutate(
  original: Uint8Array,
  others: readonly Uint8Array[],
  random: () => number,
): Uint8Array {
  let bytes: Uint8Array = original;
  const below = (most: number): number => Math.floor(random() * most);
  for (let left = 1 + below(6); left > 0; left -= 1) {
    const at = below(bytes.length + 1);
    const to = Math.min(bytes.length, at + 1 + below(random() < 0.9 ? 20 : 5000));
    bytes = joined(bytes, mistake({ bytes, at, to, below, others }));
  }
  return bytes;
}

interface Spot {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly to: number;
  readonly below: (most: number) => number;
  readonly others: readonly Uint8Array[];
}

/** What stands between two offsets from now on. */
interface Change {
  readonly from: number;
  readonly to: number;
  readonly instead: Uint8Array;
}

function mistake({ bytes, at, to, below, others }: Spot): Change {
  const other = others[below(others.length)] ?? bytes;
  const token = (): Uint8Array => TOKENS[below(TOKENS.length)] as Uint8Array;
  switch (below(8)) {
    case 0:
      return { from: at, to: at + 1, instead: Uint8Array.of(below(256)) };
    case 1:
      return { from: at, to: at, instead: token() };
    case 2:
      return { from: at, to: Math.min(bytes.length, at + 1), instead: token() };
    case 3:
      return { from: at, to: at, instead: BYTES[below(BYTES.length)] as Uint8Array };
    case 4:
      return { from: at, to, instead: new Uint8Array() };
    case 5:
      return { from: at, to: at, instead: bytes.subarray(at, to) };
    case 6:
      return { from: at, to: bytes.length, instead: new Uint8Array() };
    default:
      return { from: at, to, instead: other.subarray(at, to) };
  }
}

function joined(bytes: Uint8Array, { from, to, instead }: Change): Uint8Array {
  return Buffer.concat([bytes.subarray(0, from), instead, bytes.subarray(to)]);
}
