import path from 'node:path';
import { shellWord } from '../report/printable.js';

/**
 * What to type to call docferry as it was called: `docferry`, `npx docferry`, or Node with the
 * path of the program, as in a clone.
 * @param script the path of the program, as Node was given it
 */
export function programName(
  script: string = process.argv[1] ?? 'docferry',
  { PATH = '', npm_command: npm }: NodeJS.ProcessEnv = process.env,
  cwd: string = process.cwd(),
): string {
  const installed = script.split(path.sep).includes('node_modules');
  // npm puts its folders on the path of what it runs; the shell that called npm doesn't have them.
  const onPath = PATH.split(path.delimiter).includes(path.dirname(script));
  if (onPath && !(installed && npm !== undefined)) return 'docferry';
  if (installed) return 'npx docferry';
  const fromHere = path.relative(cwd, script);
  return `node ${shellWord(fromHere.startsWith('..') ? script : fromHere)}`;
}
