import { setTimeout as wait } from 'node:timers/promises';
import { ownVersion } from '../api/version.js';
import { finishStopped } from './finish-run.js';
import { fenceExpired } from './postgres/session.js';
import type { ActiveRun, PostgresStore } from './postgres/store.js';
import type { RunPlan } from './run-plan.js';

/** How often to look whether the run has ended, in milliseconds. */
const LOOK_MS = 300;

/**
 * Waits until a stopped run has ended, and ends it if no process has a shard of it any more: workers
 * of another version leave it alone. Gives up once the leases of killed processes have expired, since
 * those that are left then are alive and end it themselves.
 */
export async function endStopped(store: PostgresStore, { run }: ActiveRun): Promise<void> {
  const session = await store.openSession(ownVersion());
  const { expiryMs, beatMs } = session.times;
  const until = performance.now() + expiryMs + beatMs;
  try {
    while (performance.now() < until) {
      const active = await store.findByNumber(run);
      if (active === undefined || active.state === 'ended') return;
      await fenceExpired(store.database, session.times);
      const plan = JSON.parse(active.plan) as RunPlan;
      await finishStopped({ active, plan, means: { store }, session });
      await wait(LOOK_MS);
    }
  } finally {
    await session.close().catch(() => {});
  }
}
