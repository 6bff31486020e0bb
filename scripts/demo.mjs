// @ts-check
// A first look: validates and imports an export with one invalid record, in a sandbox, and ends with
// the command for a file of one's own. `npm run demo`, in a clone.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXPORT = ['demo/hotel-reviews.csv', '--mapping', 'mappings/hotel-reviews.yaml'];

/** Each with the exit code that one invalid record gives. */
const COMMANDS = [
  ['validate', ...EXPORT],
  ['import', ...EXPORT, '--monitoring', '1', '--sandbox', '--html', 'demo-report.html'],
];

for (const args of COMMANDS) {
  process.stdout.write(`\n$ docferry ${args.join(' ')}\n\n`);
  // Through npx, as the commands that the reports name.
  const { status } = spawnSync('npx', ['docferry', ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 1)
    throw new Error(`${args[0]} ended with ${status}; one record is invalid, so expected 1`);
}
process.stdout.write(`
The report is a page, too: open demo-report.html in a browser.
Your own file: npx docferry guess FILE -o mapping.yaml
`);
