import type { Argv, Options } from 'yargs';
import { OptionError } from '../../model/errors.js';
import type { CommandBody, Start } from '../command.js';
import { type FilterArguments, filtersOf, isFilter, withFilters } from '../options/filters.js';
import { OUTPUT_OPTIONS, type OutputArguments, outputOf } from '../options/output.js';
import { listOf } from '../options/values.js';
import { type ServiceArguments, withClient, withService } from '../service.js';

type IndicatorsArguments = FilterArguments & OutputArguments & ServiceArguments;

/** `docferry indicators`: figures of what the filters select. */
export function indicatorsCommand(start: Start): CommandBody<IndicatorsArguments> {
  return {
    builder: (argv) =>
      withService(withFilters(argv)).options(OUTPUT_OPTIONS) as Argv<IndicatorsArguments>,
    handler: (args) => start(() => runIndicators(args)),
  };
}

async function runIndicators(args: IndicatorsArguments): Promise<number> {
  const filters = filtersOf(args);
  const { printAnswer } = await import('../output/print-answer.js');
  return await withClient(args, async (client) => {
    await printAnswer(await client.indicators(filters), outputOf(args));
    return 0;
  });
}

interface OwnArguments {
  readonly parameter: string | string[] | undefined;
}

type ChartArguments = OwnArguments & FilterArguments & OutputArguments & ServiceArguments;

const OWN_OPTIONS: Readonly<Record<keyof OwnArguments, Options>> = {
  parameter: {
    type: 'string',
    requiresArg: true,
    describe: 'Further parameter to send as it is: NAME=VALUE (repeatable)',
  },
};

/** `docferry chart`: the service's answer as it comes, for its reference does not show it. */
export function chartCommand(start: Start): CommandBody<ChartArguments> {
  return {
    builder: (argv) =>
      withService(withFilters(argv))
        .options(OWN_OPTIONS)
        .options(OUTPUT_OPTIONS) as Argv<ChartArguments>,
    handler: (args) => start(() => runChart(args)),
  };
}

async function runChart(args: ChartArguments): Promise<number> {
  const filters = filtersOf(args);
  const parameters = parametersOf(listOf(args.parameter));
  const { printAnswer } = await import('../output/print-answer.js');
  return await withClient(args, async (client) => {
    await printAnswer(await client.chart({ ...parameters, ...filters }), outputOf(args));
    return 0;
  });
}

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
