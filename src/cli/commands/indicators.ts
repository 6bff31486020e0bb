import type { Argv, CommandModule } from 'yargs';
import { type FilterArguments, filtersOf, withFilters } from '../filter-options.js';
import { OUTPUT_OPTIONS, type OutputArguments } from '../output/output-options.js';
import { type ServiceArguments, withClient, withService } from '../with-client.js';

type IndicatorsArguments = FilterArguments & OutputArguments & ServiceArguments;

/** `docferry indicators`: figures of what the filters select. */
export function indicatorsCommand(
  finish: (status: number) => void,
): CommandModule<object, IndicatorsArguments> {
  return {
    command: 'indicators',
    describe: 'Show the indicators of the documents that filters select',
    builder: (argv) =>
      withService(withFilters(argv)).options(OUTPUT_OPTIONS) as Argv<IndicatorsArguments>,
    handler: async (args) => finish(await runIndicators(args)),
  };
}

async function runIndicators(args: IndicatorsArguments): Promise<number> {
  const filters = filtersOf(args);
  const { printAnswer } = await import('../output/print-value.js');
  return await withClient(args, async (client) => {
    await printAnswer(await client.indicators(filters), args.output);
    return 0;
  });
}
