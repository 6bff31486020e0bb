import { readFile } from 'node:fs/promises';
import { type Command, defineCommand } from '../command.js';
import { say } from '../print.js';
import { programName } from '../program-name.js';

/** `docferry completion`: the script that makes a shell complete command lines of docferry. */
export const COMPLETION: Command = defineCommand(
  (argv) =>
    argv.positional('shell', {
      choices: ['bash', 'zsh'],
      demandOption: true,
      describe: 'The shell that the script is for',
    }),
  async ({ shell }) => {
    const script = new URL(`../completion/docferry.${shell}`, import.meta.url);
    process.stdout.write(await readFile(script, 'utf8'));
    if (programName() !== 'docferry') {
      say(
        'It completes lines that start with docferry, and asks the docferry on the PATH (npm install --global puts it there). Lines that start with npx are not completed.',
      );
    }
    return 0;
  },
);
