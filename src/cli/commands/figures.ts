import { OptionError } from '../../model/errors.js';
import { option } from '../../model/options.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS } from '../options/connection.js';
import { FILTER_OPTIONS, filtersOf } from '../options/filters.js';
import { OUTPUT_CONFLICTS, OUTPUT_OPTIONS, outputOf } from '../options/output.js';
import { withClient } from '../service.js';

const JUNE = '--monitorings 1 --start 2024-06-01 --end 2024-06-30';

/** `docferry indicators`: figures of what the filters select. */
export const INDICATORS: Command = defineCommand({
  usage: 'indicators',
  describe: 'Show the indicators of the documents that filters select',
  options: { ...FILTER_OPTIONS, ...SERVICE_OPTIONS, ...OUTPUT_OPTIONS },
  conflicts: OUTPUT_CONFLICTS,
  examples: [`indicators ${JUNE}`],
  run: async (args) => {
    const filters = filtersOf(args);
    const { printAnswer } = await import('../output/print-answer.js');
    return await withClient(args, async (client) => {
      await printAnswer(await client.indicators(filters), outputOf(args));
      return 0;
    });
  },
});

/** `docferry chart`: the service's answer as it comes, as the reference does not show it. */
export const CHART: Command = defineCommand({
  usage: 'chart',
  describe: 'Show a chart of the documents that filters select, as the service gives it',
  options: {
    ...FILTER_OPTIONS,
    ...SERVICE_OPTIONS,
    parameter: option.text('parameter', 'Further parameter to send as it is: NAME=VALUE', {
      repeatable: true,
    }),
    ...OUTPUT_OPTIONS,
  },
  conflicts: OUTPUT_CONFLICTS,
  examples: [`chart ${JUNE} --json`],
  run: async (args) => {
    const filters = filtersOf(args);
    const parameters = parametersOf(args.parameter ?? []);
    const { printAnswer } = await import('../output/print-answer.js');
    return await withClient(args, async (client) => {
      await printAnswer(await client.chart({ ...parameters, ...filters }), outputOf(args));
      return 0;
    });
  },
});

function parametersOf(given: readonly string[]): Record<string, string> {
  const parameters = given.map((parameter): [string, string] => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(parameter) ?? [];
    if (name === undefined || value === undefined) {
      throw new OptionError(`--parameter is "${parameter}"; expected NAME=VALUE.`);
    }
    if (Object.hasOwn(FILTER_OPTIONS, name)) {
      throw new OptionError(`--parameter ${name}: use --${name} instead.`);
    }
    return [name, value];
  });
  return Object.fromEntries(parameters);
}
