// What CI ends with: every test that failed, and why, then the figures of all runs on a line.
// Usage: result.mjs <JSON report of a run>…; what the last one leaves out isn't counted as skipped.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** As much of a failure as says what it is: a diff of two documents would push the others out. */
const MAX_LINES = 20;

const reports = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const report of reports) {
  const run = JSON.parse(readFileSync(report, 'utf8'));
  sum.passed += run.numPassedTests;
  // A test file that fails to load has no failed test of its own, but is no success.
  sum.failed += run.numFailedTests + (run.success || run.numFailedTests > 0 ? 0 : 1);
  if (report !== reports.at(-1)) sum.skipped += run.numPendingTests;
  for (const file of run.testResults) tellFailures(file);
}
console.log(
  `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`,
);

function tellFailures(file) {
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  const name = relative('.', file.name);
  for (const test of failed) tell(`${name} > ${test.fullName}`, test.failureMessages.join('\n'));
  if (file.status === 'failed' && failed.length === 0) tell(name, file.message);
}

function tell(name, message) {
  const lines = message.split('\n').filter((line) => !line.includes('/node_modules/'));
  console.log(
    [`FAILED ${name}`, ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`)].join('\n'),
  );
}
