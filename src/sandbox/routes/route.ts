import type { SandboxContext } from '../answers.js';
import type { Engine } from '../engine/engine.js';
import type { Operation } from '../faults/plan.js';
import type { SandboxSettings } from '../options.js';

/** What the routes work with. */
export interface House {
  readonly engine: Engine;
  readonly settings: SandboxSettings;
}

/** One address below the version, and what answers each of its methods. */
export interface Route {
  /** Path pattern such as `/monitorings/:id`. */
  readonly path: string;
  /** What a plan of faults calls it; `undefined` if no plan can name it. */
  readonly operation?: Operation;
  readonly methods: Readonly<
    Partial<Record<'GET' | 'POST' | 'DELETE', (c: SandboxContext) => Promise<Response>>>
  >;
}
