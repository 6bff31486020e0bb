/**
 * Stops a run for all who work on it, and waits until it has ended, for as long as a killed worker's
 * lease lasts. What is in flight is waited for, and the run can be resumed.
 * @returns whether it was running
 * @throws ResumeError if there is none of this name
 */
export async function cancelRun(state: string, run: string): Promise<boolean> {
  const { PostgresStore } = await import('./postgres/store.js');
  const { endStopped } = await import('./end-stopped.js');
  const store = await PostgresStore.open(state);
  try {
    const found = await store.find(run);
    if (found.state === 'ended' || found.state === 'held') return false;
    await store.stopRun(found, { kind: 'interrupted', message: 'the run was cancelled' });
    await endStopped(store, found);
    return true;
  } finally {
    await store.close();
  }
}
