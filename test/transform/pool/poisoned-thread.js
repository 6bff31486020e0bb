/** A thread as any other, but for what `poison.js` does to it. */
import './poison.js';
import '../../../dist/transform/pool/run-transform.js';
