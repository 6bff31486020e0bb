import { type Command, defineCommand } from '../command.js';
import { TARGET_OPTIONS } from '../options/target.js';

/** `docferry target-singer`: a target of the Singer specification, fed by a tap. */
export const TARGET_SINGER: Command = defineCommand({
  usage: 'target-singer',
  describe: 'Import what a Singer tap writes to stdin; states go to stdout',
  options: TARGET_OPTIONS,
  examples: ['target-singer --config target.json < tap.jsonl >> states.jsonl'],
  run: async (args) => {
    const { runTargetOnCommand } = await import('../runs/run-target.js');
    return await runTargetOnCommand(args);
  },
});
