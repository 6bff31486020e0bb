import { workerData } from 'node:worker_threads';

/**
 * What a thread of the decoding process runs: it ends the process when that takes too much memory,
 * of which V8 bounds only its own objects, and when whoever started it is gone. The process itself
 * may be too busy to notice.
 */
const { parent, mostBytes } = workerData as { readonly parent: number; readonly mostBytes: number };

const EVERY_MS = 200;

setInterval(() => {
  const takesTooMuch = process.memoryUsage.rss() > mostBytes;
  if (takesTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
