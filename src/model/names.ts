import { distance } from 'fastest-levenshtein';
/** Names that somebody writes: those of options, which have to exist, and the nearest to a slip. */
import { OptionError } from './errors.js';

/** All names that an object of options may have: the type checker sees to it that none is left out. */
export type Names<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Refuses an option that doesn't exist: passed over, it would be believed to work.
 * @param of whose options they are, as in `importDocuments`
 * @throws OptionError that names the nearest option
 */
export function checkNames(
  given: unknown,
  known: Readonly<Record<string, unknown>>,
  of: string,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new OptionError(`The options of ${of} are ${kindOf(given)}; expected an object.`);
  }
  const names = Object.keys(known);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, names) || `; expected ${names.join(', ')}.`;
  throw new OptionError(`${of} has no option ${JSON.stringify(unknown)}${hint}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** `, did you mean "…"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `, did you mean ${JSON.stringify(nearest)}?`;
}

/**
 * The name that was probably meant: the candidate with the fewest edits, if few enough that a
 * reader would take it for a slip. Letters that differ only in case count as equal.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase());
    // A name that shares no letter with the one written is no slip of it.
    if (edits < fewest && edits < Math.max(wanted.length, candidate.length)) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}
