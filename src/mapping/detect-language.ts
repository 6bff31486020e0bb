/** The input `detect`: which language a text is written in. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

type Eld = typeof import('eld/small').eld;

let detector: Eld | undefined;

/**
 * The ISO 639-1 code of the text's language, or nothing when unsure. All 60 languages of the library
 * compete, and not only the seven of the service: else a Norwegian review would pass for a German
 * one. Measured in docs/decisions/language-detection.md.
 */
export function detectLanguage(text: string): string | undefined {
  detector ??= loadDetector();
  const found = detector.detect(text);
  return found.language !== '' && found.isReliable() ? found.language : undefined;
}

/**
 * Loads the library's tables, 1.6 MB, on the first text: only mappings with `detect` pay for them.
 * A module that is imported can't be had without waiting, and a text has to be answered at once.
 */
function loadDetector(): Eld {
  const file = fileURLToPath(import.meta.resolve('eld/small'));
  const { eld } = createRequire(import.meta.url)(file) as { readonly eld: Eld };
  const instance = eld.newInstance();
  // Addresses and numbers are of no language.
  instance.enableTextCleanup(true);
  return instance;
}
