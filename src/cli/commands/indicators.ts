import type { Argv } from 'yargs';
import type { CommandBody, Start } from '../command.js';
import { type FilterArguments, filtersOf, withFilters } from '../filter-options.js';
import { OUTPUT_OPTIONS, type OutputArguments, outputOf } from '../output/output-options.js';
import { type ServiceArguments, withClient, withService } from '../with-client.js';

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
  const { printAnswer } = await import('../output/print-value.js');
  return await withClient(args, async (client) => {
    await printAnswer(await client.indicators(filters), outputOf(args));
    return 0;
  });
}
