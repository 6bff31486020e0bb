import { OptionError } from '../../../model/errors.js';
import { argument, option } from '../../../model/options.js';
import { SOURCE_OPTIONS } from '../../../operations/options.js';
import { shellWord } from '../../../report/printable.js';
import { type Command, defineCommand } from '../../command.js';
import { sourceOptions } from '../../options/run.js';
import { isStdout, jsonText, programName, say } from '../../print.js';

/** Where a mapping is written to. */
export const OUT_OPTIONS = {
  out: option.text('out', 'File to write the mapping to', {
    short: 'o',
    offers: 'files',
    defaultText: 'stdout',
  }),
  force: option.boolean('force', 'Write over that file'),
} as const;

export const READY_OPTION = {
  ready: option.boolean(
    'ready',
    'Use a mapping that comes with docferry if it was written for this layout',
    { default: true },
  ),
} as const;

/** `docferry guess`: a mapping for an export of which only the file is known. */
export const GUESS: Command = defineCommand({
  usage: 'guess <input>',
  describe: 'Propose a mapping for an unknown export',
  positionals: {
    input: argument('One file, or - for stdin', { offers: 'files' }),
  },
  options: {
    ...SOURCE_OPTIONS,
    ...OUT_OPTIONS,
    ...READY_OPTION,
    json: option.boolean(
      'json',
      'One JSON object on stdout: the mapping, its evidence, rivals, the columns',
    ),
  },
  examples: ['guess reviews.csv -o guess.yaml', 'guess reviews.csv --no-ready --delimiter ,'],
  run: async (args) => {
    const { guessMapping } = await import('../../../operations/guess-mapping.js');
    const { guessLines } = await import('../../output/guess-text.js');
    const { mappingOutput } = await import('./mapping-output.js');
    const { force = false, ready = true, out = '-' } = args;
    const inputs = args.input === '-' ? [] : [args.input];
    const write = mappingOutput({ file: out, force, inputs });
    const input = args.input === '-' ? await stdinPieces() : args.input;
    const guess = await guessMapping({ input, source: sourceOptions(args), ready });
    if (!args.json || !isStdout(out)) write(guess.mapping);
    if (args.json) process.stdout.write(`${jsonText(guess)}\n`);
    else for (const line of guessLines(guess)) say(line);
    if (!isStdout(out)) {
      say(`Next: ${programName()} validate ${shellWord(args.input)} --mapping ${shellWord(out)}`);
    }
    return 0;
  },
});

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
