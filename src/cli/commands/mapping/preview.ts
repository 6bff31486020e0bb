import { type Command, defineCommand } from '../../command.js';
import { type InputArguments, recordOptions, withInputs } from '../../options/input.js';
import { given, wholeNumber } from '../../options/values.js';
import { print } from '../../print.js';

/** `docferry preview`: records beside the documents they become. */
export const PREVIEW: Command = defineCommand(
  (argv) =>
    withInputs(argv)
      .option('limit', {
        type: 'number',
        default: 5,
        alias: 'n',
        requiresArg: true,
        describe: 'How many records to show',
      })
      .option('record', {
        type: 'number',
        requiresArg: true,
        conflicts: 'invalid',
        describe: 'Show only the record with this number in its file, from 1',
      })
      .option('invalid', {
        type: 'boolean',
        describe: 'Show only records that are invalid',
      })
      .option('json', { type: 'boolean', default: false, describe: 'One JSON object a line' }),
  runPreview,
);

type PreviewArguments = InputArguments & {
  readonly limit: number;
  readonly record: number | undefined;
  readonly invalid: boolean | undefined;
  readonly json: boolean;
};

async function runPreview(args: PreviewArguments): Promise<number> {
  const limit = wholeNumber('--limit', args.limit, 1);
  const { previewDocuments } = await import('../../../operations/preview-documents.js');
  const { previewText } = await import('../../output/preview-text.js');
  const { record, invalid = false } = args;
  const options = { ...recordOptions(args), ...given({ record }), invalid };
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
