/** Types of the studio's HTTP application and its requests. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

interface StudioEnv {
  readonly Bindings: HttpBindings;
}

export type StudioApp = Hono<StudioEnv>;
export type StudioContext = Context<StudioEnv>;
