import type { Argv } from 'yargs';
import type { CommandBody, Start } from '../command.js';
import { type InputArguments, recordOptions, withInputs } from '../input-options.js';
import { listenForInterruption } from '../interruption.js';
import { endOptions, RUN_OPTIONS, type RunArguments } from '../run-options.js';
import { BATCH_OPTIONS, type BatchArguments, batchOptions } from '../sending-options.js';

type ValidateArguments = RunArguments & BatchArguments & InputArguments;

/** `docferry validate`: the same path as an import, nothing sent. */
export function validateCommand(start: Start): CommandBody<ValidateArguments> {
  return {
    builder: (argv) =>
      withInputs(argv).options(BATCH_OPTIONS).options(RUN_OPTIONS) as Argv<ValidateArguments>,
    handler: (args) => start(() => runValidate(args)),
  };
}

async function runValidate(args: ValidateArguments): Promise<number> {
  const { validateDocuments } = await import('../../operations/import-documents.js');
  const { showRun } = await import('../show-run.js');
  const interruption = listenForInterruption((message) => process.stderr.write(`${message}\n`));
  try {
    const { signal } = interruption;
    const options = { ...recordOptions(args), ...endOptions(args), ...batchOptions(args) };
    const run = validateDocuments({ ...options, signal, throwOn: 'never' });
    return (await showRun(run, args)).exitCode;
  } finally {
    interruption.dispose();
  }
}
