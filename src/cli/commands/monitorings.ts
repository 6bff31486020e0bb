import type { MonitoringSummary } from '../../service/resources.js';
import { type CommandGroup, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, withClient } from '../options/connection.js';
import { JSON_OPTION } from '../options/run.js';
import { type TableColumn, tableText } from '../output/table.js';
import { terminalOf } from '../output/terminal-of.js';
import { jsonText, print } from '../print.js';

/** The ids that an import needs; all else about monitorings is a call of `docferry api`. */
export const MONITORINGS: CommandGroup = {
  usage: 'monitorings',
  describe: 'Find the id of a monitoring',
  examples: ['monitorings list'],
  commands: [
    defineCommand({
      usage: 'list',
      describe: 'List the monitorings that you can access',
      options: { ...SERVICE_OPTIONS, ...JSON_OPTION },
      examples: ['monitorings list', 'monitorings list --json'],
      run: async (args) => {
        const list = await withClient(args, ({ monitorings }) => monitorings.list());
        if (args.json) print(jsonText(list));
        else process.stdout.write(tableText(list, COLUMNS, terminalOf(process.stdout)));
        return 0;
      },
    }),
  ],
};

const COLUMNS: readonly TableColumn<MonitoringSummary>[] = [
  { title: 'id', cell: ({ id }) => id, align: 'right' },
  { title: 'status', cell: ({ status }) => status },
  { title: 'title', cell: ({ title }) => title },
];
