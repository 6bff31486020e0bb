import type { Argv } from 'yargs';
import type { CommandBody, Start } from '../command.js';
import { type ServiceArguments, withService } from '../service.js';

interface VerifyArguments extends ServiceArguments {
  readonly run: string;
  readonly json: boolean;
}

/** `docferry verify`: what the service shows of what it acknowledged. */
export function verifyCommand(start: Start): CommandBody<VerifyArguments> {
  return {
    builder: (argv) =>
      withService(
        argv.positional('run', { type: 'string', demandOption: true, describe: "The run's id" }),
      ).option('json', {
        type: 'boolean',
        default: false,
        describe: 'Print JSON',
      }) as unknown as Argv<VerifyArguments>,
    handler: (args) =>
      start(async () => {
        const { verifyOnCommand } = await import('../runs/look-at-run.js');
        return await verifyOnCommand(args);
      }),
  };
}
