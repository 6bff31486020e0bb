/** Ratings in words and signs: "sehr gut", "Muy satisfecho", THREE, 😐. */
import { plainText } from '../lexicon/name-concepts.js';
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

/** How far apart good and bad are at least. */
const GOOD = 70;
const BAD = 30;
const MAX_VERDICTS = 14;

let strengths: ReadonlyMap<string, number> | undefined;

function strengthOf(text: string): number | undefined {
  if (text.length > 40) return undefined;
  strengths ??= new Map(
    WORDS.verdicts.flatMap(({ strength, words }) =>
      words.flatMap((line) => line.split('|')).map((word) => [plainText(word), strength] as const),
    ),
  );
  return strengths.get(plainText(text));
}

/** A column's verdicts. */
export interface Verdicts {
  /** Where all verdicts are either good or bad, for each text whether it is good. */
  readonly sides?: ReadonlyMap<string, boolean>;
  /** Where there are more than good and bad, for each text its place on a scale from 1 to 5. */
  readonly ratings?: Readonly<Record<string, number>>;
}

/** Reads a column's different texts as verdicts; nothing when one of them is none. */
export function readVerdicts(distinct: readonly string[]): Verdicts | undefined {
  if (distinct.length < 2 || distinct.length > MAX_VERDICTS) return undefined;
  const found = new Map<string, number>();
  for (const text of distinct) {
    const strength = strengthOf(text);
    if (strength === undefined) return undefined;
    found.set(text, strength);
  }
  const levels = [...new Set(found.values())].toSorted((a, b) => a - b);
  if (levels.length === 1) return undefined;
  if (levels.length === 2) return sidesOf(found);
  const entries = [...found].map(([text, strength]) => [text, ratingOf(strength, levels)] as const);
  return { ratings: Object.fromEntries(entries.toSorted(([, a], [, b]) => b - a)) };
}

function sidesOf(found: ReadonlyMap<string, number>): Pick<Verdicts, 'sides'> {
  const told = [...found.values()].every((strength) => strength > GOOD || strength < BAD);
  const sides = new Map([...found].map(([text, strength]) => [text, strength > GOOD]));
  return told && new Set(sides.values()).size === 2 ? { sides } : {};
}

/** Five levels are 1 to 5, whatever they are called; of fewer or more, each by how good it is. */
function ratingOf(strength: number, levels: readonly number[]): number {
  if (levels.length === 5) return 1 + levels.indexOf(strength);
  if (strength === levels.at(-1) && strength > GOOD) return 5;
  return Math.min(5, Math.max(1, Math.round(1 + strength / 25)));
}
