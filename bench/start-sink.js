// @ts-check
/** Starts the sink as a process of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SINK = fileURLToPath(new URL('sink.mjs', import.meta.url));

/**
 * When the first of some requests had arrived, and when the last.
 * @typedef {{ documents: number, firstMs: number, lastMs: number }} Taken
 */

/**
 * @param {{ delayMs?: number }} [options] `delayMs`: how long a request takes at least
 */
export async function startSink({ delayMs = 0 } = {}) {
  const child = spawn(process.execPath, [SINK, '--delay-ms', String(delayMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** @type {string} */
  const origin = await new Promise((resolve) => {
    child.stdout.once('data', (data) => resolve(new URL(String(data).trim()).origin));
  });
  /** What has arrived since this was last asked. @returns {Promise<Taken>} */
  const taken = async () => {
    const answer = await fetch(`${origin}/taken`);
    return /** @type {Taken} */ (await answer.json());
  };
  return {
    origin,
    /** The base URL of the service that docferry knows. */
    baseUrl: `${origin}/5.0`,
    taken,
    /** How many documents have arrived since this was last asked. */
    documents: async () => (await taken()).documents,
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}
