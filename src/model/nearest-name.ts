import { onDemand } from './on-demand.js';

const levenshtein = onDemand<typeof import('fastest-levenshtein')>('fastest-levenshtein');

/**
 * The name that was probably meant: the candidate with the fewest edits, if few enough that a
 * reader would take it for a slip. Letters that differ only in case count as equal.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const { distance } = levenshtein();
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

/** `, did you mean "…"?`, or nothing when no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? '' : `, did you mean ${JSON.stringify(nearest)}?`;
}
