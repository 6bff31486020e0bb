import type { SandboxContext } from '../answers.js';
import type { Engine } from '../engine/engine.js';
import type { Operation } from '../faults/plan.js';
import type { SandboxSettings } from '../options.js';

export interface RouteDeps {
  readonly engine: Engine;
  readonly settings: SandboxSettings;
}

/** A path below the version, with a handler for each of its methods. */
export interface Route {
  readonly path: string;
  /** Name of the route in a fault plan. */
  readonly operation: Operation;
  readonly methods: Readonly<
    Partial<Record<'GET' | 'POST' | 'DELETE', (c: SandboxContext) => Promise<Response>>>
  >;
}
