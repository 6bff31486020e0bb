import { type Command, defineCommand } from '../command.js';
import { withService } from '../options/connection.js';
import { recordOptions, withInputs } from '../options/input.js';
import { endOptions, RUN_OPTIONS } from '../options/run.js';
import {
  BATCH_OPTIONS,
  batchOptions,
  SENDING_OPTIONS,
  sendingOptions,
} from '../options/sending.js';
import { given } from '../options/values.js';
import { listenForInterruption } from '../runs/interruption.js';

/** `docferry import`: read, map, validate, post, report. */
export const IMPORT: Command = defineCommand(
  (argv) =>
    withService(withInputs(argv))
      .option('monitoring', {
        type: 'number',
        demandOption: true,
        requiresArg: true,
        describe: 'Id of the monitoring that takes the documents',
      })
      .option('resume', {
        type: 'string',
        describe: 'Resume a run: its id, or nothing for the latest unfinished one of these inputs',
      })
      .option('work', {
        type: 'boolean',
        default: true,
        describe: 'Work along, where the state is shared; --no-work leaves it to workers',
      })
      .option('detach', {
        type: 'boolean',
        default: false,
        describe: 'Where the state is shared: leave the import to workers, and end at once',
      })
      .options(BATCH_OPTIONS)
      .options(SENDING_OPTIONS)
      .options(RUN_OPTIONS),
  async (args) => {
    const { monitoring, resume, work, detach } = args;
    const { runImport } = await import('../runs/run-import.js');
    const options = { ...recordOptions(args), ...endOptions(args), ...sendingOptions(args) };
    const resumed = given({ resume: resume === '' ? (true as const) : resume });
    const shared = work ? {} : { work };
    return await runImport({ ...options, ...resumed, ...shared, monitoring }, { ...args, detach });
  },
);

/** `docferry validate`: the same path as an import, nothing sent. */
export const VALIDATE: Command = defineCommand(
  (argv) => withInputs(argv).options(BATCH_OPTIONS).options(RUN_OPTIONS),
  async (args) => {
    const { validateDocuments } = await import('../../operations/validate-documents.js');
    const { planForJob, showRun } = await import('../runs/show-run.js');
    const options = { ...recordOptions(args), ...endOptions(args), ...batchOptions(args) };
    const tellJob = await planForJob(args, options);
    const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
    try {
      const { signal } = interruption;
      const run = validateDocuments({ ...options, signal, throwOn: 'never' });
      return tellJob(await showRun(run, args));
    } finally {
      interruption.dispose();
    }
  },
);
