import fc from 'fast-check';
import { runs } from './runs.js';

/** fast-check's own default, for properties that don't say how often. */
fc.configureGlobal({ numRuns: runs(100) });
