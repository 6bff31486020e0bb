import type { Connection } from '../../src/api/index.js';
import { readConnection } from '../../src/cli/options/connection.js';
import { startSandbox } from '../../src/sandbox/index.js';
import { fillWithMadeWorld } from '../helpers/made-world.js';

/** What the read-only cases look at. */
export interface Target {
  /** For the names of the cases; nothing secret. */
  readonly name: string;
  /** Opens the way to it; `close` ends what was started for it. */
  open(): Promise<{ readonly connection: Connection; close(): Promise<void> }>;
}

/** The service that the connection variables name; without all three of them, synthetic data. */
export function chooseTarget(env: NodeJS.ProcessEnv = process.env): Target {
  const { DOCFERRY_BASE_URL: baseUrl, DOCFERRY_USERNAME: username } = env;
  const key = env['DOCFERRY_API_KEY'] || env['DOCFERRY_API_KEY_FILE'];
  if (!baseUrl || !username || !key) return MADE_WORLD;
  const connection = readConnection({}, env);
  return {
    name: `the service at ${new URL(baseUrl).host}`,
    open: async () => ({ connection, close: async () => {} }),
  };
}

const MADE_WORLD: Target = {
  name: 'a sandbox with synthetic data',
  open: async () => {
    const sandbox = await startSandbox();
    await fillWithMadeWorld(sandbox);
    return { connection: sandbox, close: () => sandbox.close() };
  },
};
