import { PostgresStore, type RunProgress } from './postgres/store.js';

export type { RunProgress } from './postgres/store.js';

/** Progress of a run on workers; `undefined` if it has ended or a single process holds it. */
export async function progressOfRun(state: string, run: string): Promise<RunProgress | undefined> {
  return await PostgresStore.use(state, async (store) => {
    const found = await store.find(run);
    const hasWorkers = found.state === 'active' || found.state === 'finishing';
    return hasWorkers ? await store.progress(found.run) : undefined;
  });
}
