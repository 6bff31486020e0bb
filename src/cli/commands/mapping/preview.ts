import { option } from '../../../model/options.js';
import { PREVIEW_OPTIONS } from '../../../operations/option-table.js';
import { SOURCE_OPTIONS } from '../../../operations/options.js';
import { type Command, defineCommand } from '../../command.js';
import type { Given } from '../../options/flags.js';
import { INPUTS, recordOptions } from '../../options/run.js';
import { print } from '../../print.js';

const PREVIEW_FLAGS = {
  ...PREVIEW_OPTIONS,
  ...SOURCE_OPTIONS,
  limit: option.integer('limit', 'How many records to show', { short: 'n', min: 1, default: 5 }),
  json: option.boolean('json', 'One JSON object a line'),
} as const;

/** `docferry preview`: records beside the documents they become. */
export const PREVIEW: Command = defineCommand({
  usage: 'preview <input..>',
  describe: 'Show records beside the documents they become; nothing is sent',
  positionals: INPUTS,
  options: PREVIEW_FLAGS,
  conflicts: [['record', 'invalid']],
  examples: [
    'preview reviews.csv -m mapping.yaml --limit 2',
    'preview reviews.csv -m mapping.yaml --record 3',
  ],
  run: runPreview,
});

async function runPreview(
  args: Given<typeof PREVIEW_FLAGS> & Given<typeof INPUTS>,
): Promise<number> {
  const { previewDocuments } = await import('../../../operations/preview-documents.js');
  const { previewText } = await import('../../output/preview-text.js');
  const { record, invalid = false, limit = PREVIEW_FLAGS.limit.default } = args;
  const one = record === undefined ? {} : { record };
  const options = { ...recordOptions(args), ...one, invalid };
  let shown = 0;
  let problems = 0;
  for await (const previewed of previewDocuments(options)) {
    const text = args.json ? JSON.stringify(previewed) : previewText(previewed);
    print(text);
    shown += 1;
    if (previewed.problems.length > 0) problems += 1;
    if (shown >= limit) break;
  }
  if (shown === 0 && invalid) process.stderr.write('No record is invalid.\n');
  return problems === 0 ? 0 : 1;
}
