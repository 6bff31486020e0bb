import type { SandboxContext } from '../answers.js';

/** One address below the version, and what answers each of its methods. */
export interface Route {
  /** Path pattern such as `/monitorings/:id`. */
  readonly path: string;
  readonly methods: Readonly<
    Partial<Record<'GET' | 'POST' | 'DELETE', (c: SandboxContext) => Response | Promise<Response>>>
  >;
}
