import { OptionError } from '../../../model/errors.js';
import { shellWord } from '../../../report/printable.js';
import { type Command, defineCommand } from '../../command.js';
import { sourceOptions, withReading } from '../../options/input.js';
import { isStdout, jsonText, say } from '../../print.js';
import { programName } from '../../program-name.js';

/** `docferry guess`: a mapping for an export of which only the file is known. */
export const GUESS: Command = defineCommand(
  (argv) =>
    withReading(
      argv.positional('input', {
        type: 'string',
        demandOption: true,
        describe: 'One file, or - for stdin',
      }),
    )
      .option('out', {
        type: 'string',
        alias: 'o',
        requiresArg: true,
        describe: 'File to write the mapping to (default: stdout)',
      })
      .option('force', { type: 'boolean', default: false, describe: 'Write over that file' })
      .option('ready', {
        type: 'boolean',
        default: true,
        describe: 'Take a mapping that comes with docferry if it was written for this layout',
      })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'One JSON object on stdout: the mapping, its evidence, rivals, the columns',
      }),
  async (args) => {
    const { guessMapping } = await import('../../../operations/guess-mapping.js');
    const { guessLines } = await import('../../output/guess-text.js');
    const { mappingOutput } = await import('./mapping-output.js');
    const { force, out = '-' } = args;
    const inputs = args.input === '-' ? [] : [args.input];
    const write = mappingOutput({ file: out, force, inputs });
    const input = args.input === '-' ? await stdinPieces() : args.input;
    const guess = await guessMapping({ input, source: sourceOptions(args), ready: args.ready });
    if (!args.json || !isStdout(out)) write(guess.mapping);
    if (args.json) process.stdout.write(`${jsonText(guess)}\n`);
    else for (const line of guessLines(guess)) say(line);
    if (!isStdout(out)) {
      say(`Next: ${programName()} validate ${shellWord(args.input)} --mapping ${shellWord(out)}`);
    }
    return 0;
  },
);

/** Most bytes of stdin that are kept, as it can't be read again. */
const MAX_STDIN_BYTES = 64 * 1024 * 1024;

async function stdinPieces(): Promise<readonly Buffer[]> {
  if (process.stdin.isTTY) {
    throw new OptionError('stdin is a terminal: pipe a file into the command, or name the file.');
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    pieces.push(piece as Buffer);
    size += (piece as Buffer).length;
    if (size >= MAX_STDIN_BYTES) break;
  }
  return pieces;
}
