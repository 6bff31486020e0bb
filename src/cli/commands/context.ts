import type { Client } from '../../api/index.js';
import { OptionError } from '../../model/errors.js';
import { argument, option } from '../../model/options.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS } from '../options/connection.js';
import {
  LIMIT_OPTIONS,
  type LimitArguments,
  limitOf,
  OUTPUT_CONFLICTS,
  OUTPUT_OPTIONS,
  type OutputArguments,
  outputOf,
} from '../options/output.js';
import { parseId } from '../options/values.js';
import { say } from '../print.js';
import { withClient } from '../service.js';

/** `docferry context`: the conversation a document belongs to. */
export const CONTEXT: Command = defineCommand({
  usage: 'context <document-id>',
  describe: "Show a document's publication, its comments and their replies",
  positionals: {
    'document-id': argument('Id of the publication or of a comment'),
  },
  options: {
    ...SERVICE_OPTIONS,
    tree: option.boolean('tree', 'With --output json: replies nested in what they reply to'),
    ...LIMIT_OPTIONS,
    ...OUTPUT_OPTIONS,
  },
  conflicts: OUTPUT_CONFLICTS,
  examples: ['context 1', 'context 1 --tree --json'],
  run: async (args) => {
    const id = parseId('The document id', args['document-id']);
    checkTree(args);
    const show = args.tree && outputOf(args) === 'json' ? showTree : showList;
    return await withClient(args, async (client) => {
      await show(client, id, args);
      return 0;
    });
  },
});

type ShowArguments = LimitArguments & OutputArguments;

/** A table shows the tree in any case; the other outputs are lists. */
function checkTree({ tree, limit, ...args }: ShowArguments & { readonly tree?: boolean }): void {
  if (!tree) return;
  const output = outputOf(args);
  if (output === 'jsonl' || output === 'csv') {
    throw new OptionError(`--tree can't be ${output}, which is a list: use --output json.`);
  }
  if (limit !== undefined && output === 'json') {
    throw new OptionError('--tree shows the whole tree: leave out --limit.');
  }
}

async function showTree(client: Client, id: number): Promise<void> {
  const { printJson } = await import('../output/print-answer.js');
  await printJson(await client.context.tree(id));
}

async function showList(client: Client, id: number, args: ShowArguments): Promise<void> {
  const limit = limitOf(args);
  const output = outputOf(args);
  const { contextKind } = await import('../output/kinds.js');
  const { printFirst } = await import('../output/print-records.js');
  const documents = client.context.all(id);
  const { count, cut } = await printFirst(documents, { kind: contextKind(), limit, output });
  if (!cut) return;
  const { total } = await client.context.page(id);
  if (total > count) {
    say(`${count} of ${total} documents: --limit ${total} gives all of them.`);
  }
}
