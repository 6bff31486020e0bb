const NOBODY = 65_534;

/**
 * Runs something as a user who may not read or write everything, also when root runs the tests. All
 * that it needs must have been loaded before: the clone may lie where others can't enter.
 */
export async function asOrdinaryUser<T>(run: () => T | PromiseLike<T>): Promise<T> {
  if (process.getuid?.() !== 0) return await run();
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
