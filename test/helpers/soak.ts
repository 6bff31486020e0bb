import fc from 'fast-check';
import { runs } from './runs.js';

fc.configureGlobal({
  // fast-check's own default, for properties that don't say how often.
  numRuns: runs(100),
  // A failure that takes long to shrink is then told before the test's time is up.
  ...(process.env['DOCFERRY_SOAK'] ? {} : { interruptAfterTimeLimit: 45_000 }),
});
