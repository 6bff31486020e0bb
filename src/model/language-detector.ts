import { createRequire } from 'node:module';

type Eld = typeof import('eld/small').eld;

const nodeRequire = createRequire(import.meta.url);

let detector: Eld | undefined;

/**
 * Returns the n-gram language detector; its tables (written by `scripts/bundle.mjs`) are loaded
 * once.
 */
export function languageDetector(): Eld {
  detector ??= loadDetector();
  return detector;
}

function loadDetector(): Eld {
  const { eld } = nodeRequire('../../dist/mapping/steps/eld.cjs') as typeof import('eld/small');
  const instance = eld.newInstance();
  // Ignore addresses and numbers.
  instance.enableTextCleanup(true);
  return instance;
}
