import { answer, Refusal, type SandboxContext } from '../answers.js';
import { readJson } from '../input/body.js';
import { readId } from '../input/ids.js';
import { checkNewMonitoring } from '../input/new-monitoring.js';
import type { SandboxSettings } from '../options.js';
import {
  createMonitoring,
  findMonitoring,
  listMonitorings,
  type Monitoring,
} from '../store/monitorings.js';
import type { Store } from '../store/open-store.js';
import type { Route } from './route.js';

/** `/monitorings` and `/monitorings/{id}`. */
export function monitoringRoutes(store: Store, settings: SandboxSettings): Route[] {
  return [
    {
      path: '/monitorings',
      methods: {
        GET: (c) => answer(c, { monitorings: listMonitorings(store) }),
        POST: async (c) => {
          const input = checkNewMonitoring(await readJson(c, settings.maxBodyBytes));
          return answer(c, createMonitoring(store, input));
        },
      },
    },
    {
      path: '/monitorings/:id',
      methods: { GET: (c) => answer(c, monitoringOf(c, store)) },
    },
  ];
}

/** The monitoring that the path names; 404 if there is none. */
export function monitoringOf(c: SandboxContext, store: Store): Monitoring {
  const given = c.req.param('id') ?? '';
  const id = readId(given);
  const monitoring = id === null ? undefined : findMonitoring(store, id);
  if (!monitoring) throw new Refusal(404, `There is no monitoring ${given.slice(0, 40)}.`);
  return monitoring;
}
