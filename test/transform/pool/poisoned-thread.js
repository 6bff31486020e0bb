/** A thread as any other, but for what `poison.js` does to it. */
import { createRequire } from 'node:module';
import './poison.js';

createRequire(import.meta.url)('../../../dist/transform/pool/run-transform.cjs');
