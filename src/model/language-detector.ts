import { createRequire } from 'node:module';

type Eld = typeof import('eld/small').eld;

const nodeRequire = createRequire(import.meta.url);

let detector: Eld | undefined;

/** Detects languages by their n-grams. Its tables, as `scripts/bundle.mjs` wrote them, are loaded once. */
export function languageDetector(): Eld {
  detector ??= loadDetector();
  return detector;
}

function loadDetector(): Eld {
  const { eld } = nodeRequire('../../dist/mapping/steps/eld.cjs') as typeof import('eld/small');
  const instance = eld.newInstance();
  // Addresses and numbers are of no language.
  instance.enableTextCleanup(true);
  return instance;
}
