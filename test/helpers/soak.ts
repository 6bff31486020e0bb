import fc from 'fast-check';

/** `npm run soak` runs every property this many times as often as the suite does. */
const factor = Number(process.env['DOCFERRY_SOAK'] ?? 1);

if (factor > 1) fc.configureGlobal({ numRuns: 100 * factor });
