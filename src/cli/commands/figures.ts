import { OptionError } from '../../model/errors.js';
import { type Command, defineCommand } from '../command.js';
import { withService } from '../options/connection.js';
import { filtersOf, isFilter, withFilters } from '../options/filters.js';
import { OUTPUT_OPTIONS, outputOf } from '../options/output.js';
import { listOf } from '../options/values.js';
import { withClient } from '../service.js';

/** `docferry indicators`: figures of what the filters select. */
export const INDICATORS: Command = defineCommand(
  (argv) => withService(withFilters(argv)).options(OUTPUT_OPTIONS),
  async (args) => {
    const filters = filtersOf(args);
    const { printAnswer } = await import('../output/print-answer.js');
    return await withClient(args, async (client) => {
      await printAnswer(await client.indicators(filters), outputOf(args));
      return 0;
    });
  },
);

/** `docferry chart`: the service's answer as it comes, for its reference does not show it. */
export const CHART: Command = defineCommand(
  (argv) =>
    withService(withFilters(argv))
      .option('parameter', {
        type: 'string',
        requiresArg: true,
        describe: 'Further parameter to send as it is: NAME=VALUE (repeatable)',
      })
      .options(OUTPUT_OPTIONS),
  async (args) => {
    const filters = filtersOf(args);
    const parameters = parametersOf(listOf(args.parameter));
    const { printAnswer } = await import('../output/print-answer.js');
    return await withClient(args, async (client) => {
      await printAnswer(await client.chart({ ...parameters, ...filters }), outputOf(args));
      return 0;
    });
  },
);

function parametersOf(given: readonly string[]): Record<string, string> {
  const parameters = given.map((parameter): [string, string] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(parameter) ?? [];
    if (name === undefined || value === undefined) {
      throw new OptionError(`--parameter is "${parameter}"; expected NAME=VALUE.`);
    }
    if (isFilter(name)) throw new OptionError(`--parameter ${name}: use --${name} instead.`);
    return [name, value];
  });
  return Object.fromEntries(parameters);
}
