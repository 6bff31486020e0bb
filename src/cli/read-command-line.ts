import { findCommand } from './find-command.js';
import { tellChoices } from './tell-choices.js';

/** What a command line asks for; gives the exit status. */
export type Work = () => Promise<number>;

/**
 * Reads a command line. Nothing is left to do when the answer was a command's help.
 * @throws OptionError for arguments that no command takes
 */
export async function readCommandLine(args: readonly string[]): Promise<Work | undefined> {
  if (args[0] === COMPLETE_LINE) return complete;
  const asked = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const named = await findCommand(asked);
  if (named.command === undefined) {
    return async () => tellChoices(named, asked);
  }
  const { readArguments } = await import('./arguments/read-arguments.js');
  return await readArguments(named, named.command);
}

/** What the shells' scripts ask with, `completion/docferry.*`. */
const COMPLETE_LINE = '--complete-line';

async function complete(): Promise<number> {
  const { answerTab } = await import('./completion/answer-tab.js');
  return await answerTab();
}
