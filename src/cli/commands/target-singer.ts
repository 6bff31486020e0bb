import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS } from '../options/connection.js';
import { RUN_OPTIONS } from '../options/run.js';

const { state: _, 'state-dir': stateDir, ...SERVICE } = SERVICE_OPTIONS;

const TARGET_OPTIONS = {
  config: {
    type: 'string',
    demandOption: true,
    requiresArg: true,
    alias: 'c',
    describe: 'Config of the target (JSON): monitoring, streams and their mappings',
  },
  ...SERVICE,
  'state-dir': {
    type: 'string',
    requiresArg: true,
    describe: `${stateDir.describe} (default: as the config says, else ${stateDir.default})`,
  },
  report: {
    type: 'string',
    requiresArg: true,
    describe: 'Write a report of all that was read as JSON to this file',
  },
  force: { type: 'boolean', default: false, describe: 'Replace the file of --report' },
  quiet: RUN_OPTIONS.quiet,
} as const;

/** `docferry target-singer`: a target of the Singer specification, fed by a tap. */
export const TARGET_SINGER: Command = defineCommand(
  (argv) => argv.options(TARGET_OPTIONS),
  async (args) => {
    const { runTargetOnCommand } = await import('../runs/run-target.js');
    return await runTargetOnCommand(args);
  },
);
