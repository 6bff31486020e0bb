/** The input `detect`: which language a text is written in. */
import { languageDetector } from '../../model/language-detector.js';

/** The languages of the service's documents. */
const SERVICE = ['cs', 'de', 'en', 'es', 'fr', 'nl', 'pt'];

/** How far, of 1, the best language's score has to be above the second's. */
const CLEAR = 0.01;

/** How far a language that the service does not know has to be above those that it knows. */
const CLEARLY_FOREIGN = 0.08;

/**
 * The ISO 639-1 code of the text's language, or nothing when unsure. All 60 languages of the library
 * compete, and not only the seven of the service: else a Norwegian review would pass for a German
 * one. The limits were measured: see docs/decisions/language-detection.md.
 */
export function detectLanguage(text: string): string | undefined {
  const found = languageDetector().detect(text);
  if (found.language === '' || !found.isReliable()) return undefined;
  const scores = found.getScores();
  const [best = 0, second = 0] = Object.values(scores).sort((a, b) => b - a);
  if (best - second < CLEAR) return undefined;
  if (SERVICE.includes(found.language)) return found.language;
  const nearest = Math.max(...SERVICE.map((code) => scores[code] ?? 0));
  return best - nearest < CLEARLY_FOREIGN ? undefined : found.language;
}
