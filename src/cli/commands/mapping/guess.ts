import { existsSync } from 'node:fs';
import { argument, option } from '../../../model/options.js';
import { fileWord } from '../../../model/text.js';
import { SOURCE_OPTIONS } from '../../../operations/options.js';
import { checkOutput, refuseExisting, refuseLink } from '../../../outputs/check-output.js';
import { isSameFile, modeOf, writeOutput } from '../../../outputs/output-file.js';
import { programName } from '../../../report/program-name.js';
import { type Command, defineCommand } from '../../command.js';
import { sourceOptions } from '../../options/run.js';
import { isUndated, printDateHint } from '../../output/mapping-hints.js';
import { isStdout, jsonText, logCommand, print } from '../../print.js';

export const OUT_OPTIONS = {
  out: option.text('out', 'File to write the mapping to', {
    short: 'o',
    defaultText: 'stdout',
    file: 'written',
  }),
  overwrite: option.boolean('overwrite', 'Replace the file of --out if it exists'),
} as const;

export const READY_OPTION = {
  ready: option.boolean('ready', 'Use a ready-made mapping if one fits this layout', {
    default: true,
  }),
} as const;

export const GUESS: Command = defineCommand({
  usage: 'guess <input>',
  describe: 'Propose a mapping for an unknown export',
  positionals: {
    input: argument('One file, or - for stdin'),
  },
  options: {
    ...SOURCE_OPTIONS,
    ...OUT_OPTIONS,
    ...READY_OPTION,
    json: option.boolean(
      'json',
      'One JSON object on stdout: the mapping, its evidence and the columns',
    ),
  },
  examples: ['guess reviews.csv -o guess.yaml', 'guess reviews.csv --no-ready --delimiter ,'],
  run: async (args) => {
    const { guessMapping, todosIn } = await import('../../../operations/guess-mapping.js');
    const { guessText } = await import('../../output/guess-text.js');
    const { terminalOf } = await import('../../output/terminal-of.js');
    const { overwrite = false, ready = true, out = '-' } = args;
    const inputs = args.input === '-' ? [] : [args.input];
    const write = mappingOutput({ file: out, overwrite, inputs });
    const guess = await guessMapping({ input: args.input, source: sourceOptions(args), ready });
    if (!args.json || !isStdout(out)) write(guess.mapping);
    if (args.json) process.stdout.write(`${jsonText(guess)}\n`);
    else {
      const file = isStdout(out) ? undefined : out;
      process.stderr.write(guessText(guess, file, terminalOf(process.stderr)));
    }
    if (!isStdout(out)) {
      await printNext(guess.only ?? args.input, out, todosIn(guess.mapping).length > 0);
    }
    return 0;
  },
});

/** Prints the commands for the questions and for reading every record. */
async function printNext(input: string, file: string, hasQuestions: boolean): Promise<void> {
  const files = `${fileWord(input)} --mapping ${fileWord(file)}`;
  const command = `${programName()} validate ${files}`;
  const needsDate = await isUndated(file);
  if (hasQuestions && existsSync(input)) {
    logCommand('To answer the questions in the browser:', `${programName()} studio ${files}`);
  }
  logCommand('Next:', needsDate ? `${command} --as-of DATE` : command);
  if (needsDate) await printDateHint([input]);
}

interface MappingOutput {
  readonly file: string;
  readonly overwrite: boolean;
  /** Files that the command reads, and must not overwrite. */
  readonly inputs: readonly string[];
  /** The mapping file that the command changes, which may be the same as `file`. */
  readonly changes?: string;
}

/**
 * Checks, before the work is done, that a mapping can be written without overwriting other files.
 * @returns function that writes it atomically
 * @throws OptionError
 */
export function mappingOutput(output: MappingOutput): (text: string) => void {
  const { file, overwrite, changes } = output;
  if (isStdout(file)) return (text) => print(text.trimEnd());
  const isChanged = changes !== undefined && isSameFile(file, changes);
  const keepsExisting = !overwrite && !isChanged;
  const inputs = isChanged ? output.inputs : [...output.inputs, ...(changes ? [changes] : [])];
  const planned = { path: file, what: 'mapping' };
  checkOutput(planned, { inputs });
  if (keepsExisting) {
    refuseExisting(planned, 'name another file with -o, or give --overwrite to replace it');
  }
  refuseLink(planned);
  return (text) => writeOutput(file, text, { mode: modeOf(file), keepsExisting });
}
