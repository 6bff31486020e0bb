import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * A package that only some runs need: it is loaded when it is first called for, and at once, so
 * that code which gives no promises can use it. Commands start sooner without it; see
 * docs/decisions/start-up.md.
 * @param name the package, or one of its entry points
 */
export function onDemand<Package>(name: string): () => Package {
  let loaded: Package | undefined;
  return () => {
    loaded ??= load(name) as Package;
    return loaded;
  };
}
