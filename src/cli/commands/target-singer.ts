import { option } from '../../model/options.js';
import { VALIDATE_OPTIONS } from '../../operations/option-table.js';
import { type Command, defineCommand } from '../command.js';
import { CONNECTION_OPTIONS, SANDBOX_OPTION, STATE_OPTIONS } from '../options/connection.js';
import { SHOW_OPTIONS } from '../options/run.js';

/** Options of `docferry target-singer`. */
export const TARGET_OPTIONS = {
  config: option.text(
    'config',
    'Config of the target (JSON): monitoring, streams and their mappings',
    { short: 'c', required: true, offers: 'files' },
  ),
  ...CONNECTION_OPTIONS,
  ...SANDBOX_OPTION,
  stateDir: {
    ...STATE_OPTIONS.stateDir,
    defaultText: 'as the config says, else .docferry',
  },
  reportFile: {
    ...VALIDATE_OPTIONS.reportFile,
    help: 'Write a report of all that was read as JSON to this file',
  },
  force: { ...VALIDATE_OPTIONS.force, help: 'Replace the file of --report' },
  quiet: SHOW_OPTIONS.quiet,
} as const;

/** `docferry target-singer`: a target of the Singer specification, fed by a tap. */
export const TARGET_SINGER: Command = defineCommand({
  usage: 'target-singer',
  describe: 'Import what a Singer tap writes to stdin; states go to stdout',
  options: TARGET_OPTIONS,
  examples: ['target-singer --config target.json < tap.jsonl >> states.jsonl'],
  run: async (args) => {
    const { runTargetOnCommand } = await import('./run-target.js');
    return await runTargetOnCommand(args);
  },
});
