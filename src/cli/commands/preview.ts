import { OptionError } from '../../model/errors.js';
import type { PreviewOptions } from '../../operations/preview-documents.js';
import type { CommandBody, Start } from '../command.js';
import { type InputArguments, recordOptions, withInputs } from '../options/input.js';
import { print } from '../print.js';

interface OwnArguments {
  readonly limit: number;
  readonly record: number | undefined;
  readonly invalid: boolean | undefined;
  readonly json: boolean;
}

type PreviewArguments = OwnArguments & InputArguments;

/** `docferry preview`: records beside the documents they become. */
export function previewCommand(start: Start): CommandBody<PreviewArguments> {
  return {
    builder: (argv) =>
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
    handler: (args) => start(() => runPreview(args)),
  };
}

async function runPreview(args: PreviewArguments): Promise<number> {
  if (!Number.isInteger(args.limit) || args.limit < 1) {
    throw new OptionError(`--limit is ${args.limit}; expected a whole number, at least 1.`);
  }
  const { previewDocuments } = await import('../../operations/preview-documents.js');
  const { previewText } = await import('../output/preview-text.js');
  let shown = 0;
  let problems = 0;
  for await (const previewed of previewDocuments(previewOptions(args))) {
    const text = args.json ? JSON.stringify(previewed) : previewText(previewed);
    print(text);
    shown += 1;
    if (previewed.problems.length > 0) problems += 1;
    if (shown >= args.limit) break;
  }
  if (shown === 0 && args.invalid) process.stderr.write('No record is invalid.\n');
  return problems === 0 ? 0 : 1;
}

function previewOptions(args: PreviewArguments): PreviewOptions {
  const { record, invalid } = args;
  return {
    ...recordOptions(args),
    invalid: invalid === true,
    ...(record === undefined ? {} : { record }),
  };
}
