import fc from 'fast-check';

/** A copy of a JSON value in which a few places hold something else, hold more, or are gone. */
export function withSlips(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...values), fc.array(slip, { maxLength: 3 }))
    .map(([value, slips]) =>
      slips.reduce<unknown>((changed, one) => makeSlip(changed, one), structuredClone(value)),
    );
}

interface Slip {
  /** Which branch to take at each level, as a share of those there are. */
  readonly way: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add';
  readonly name: string;
  readonly value: unknown;
}

const number = fc.double({ min: 0, max: 0.999, noNaN: true });

const slip: fc.Arbitrary<Slip> = fc.record({
  way: fc.array(number, { minLength: 1, maxLength: 6 }),
  kind: fc.constantFrom('replace', 'remove', 'add'),
  name: fc.oneof(fc.constantFrom('from', 'date', 'tags', 'value', 'name'), fc.string()),
  value: fc.oneof(
    fc.constantFrom('', ' ', 'RVW', '2024-02-30T00:00:00Z', '2024-02-29T23:59:60.1+01:00', '👍👍'),
    fc.jsonValue({ maxDepth: 2 }),
  ),
});

function makeSlip(value: unknown, { way, kind, name, value: other }: Slip): unknown {
  const [share = 0, ...further] = way;
  if (typeof value !== 'object' || value === null) return kind === 'replace' ? other : value;
  const names = Object.keys(value);
  const taken = names[Math.floor(share * names.length)];
  if (kind === 'add' && further.length === 0) return added(value, name, other);
  if (taken === undefined) return kind === 'replace' ? other : value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    if (key !== taken) return [[key, item]];
    if (further.length > 0)
      return [[key, makeSlip(item, { way: further, kind, name, value: other })]];
    return kind === 'remove' ? [] : [[key, other]];
  });
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function added(value: object, name: string, item: unknown): unknown {
  return Array.isArray(value) ? [...value, item] : { ...value, [name]: item };
}
