// @ts-check
/** Starts the sink as a process of its own. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SINK = fileURLToPath(new URL('sink.mjs', import.meta.url));

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
  return {
    origin,
    /** The base URL of the service that docferry knows. */
    baseUrl: `${origin}/5.0`,
    /** How many documents have arrived since this was last asked. */
    async documents() {
      const answer = await fetch(`${origin}/taken`);
      return /** @type {{ documents: number }} */ (await answer.json()).documents;
    },
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}
