import { OptionError } from '../../errors.js';
import type { CommandBody, Start } from '../command.js';
import { type InputArguments, recordOptions, withInputs } from '../input-options.js';

type PreviewArguments = InputArguments & { readonly limit: number; readonly json: boolean };

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
        .option('json', { type: 'boolean', default: false, describe: 'One JSON object a line' }),
    handler: (args) => start(() => runPreview(args)),
  };
}

async function runPreview(args: PreviewArguments): Promise<number> {
  if (!Number.isInteger(args.limit) || args.limit < 1) {
    throw new OptionError(`--limit is ${args.limit}; expected a whole number, at least 1.`);
  }
  const { previewDocuments } = await import('../../preview-documents.js');
  const { previewText } = await import('../preview-text.js');
  let shown = 0;
  let problems = 0;
  for await (const previewed of previewDocuments(recordOptions(args))) {
    const text = args.json ? JSON.stringify(previewed) : previewText(previewed);
    process.stdout.write(`${text}\n`);
    shown += 1;
    if (previewed.problems.length > 0) problems += 1;
    if (shown >= args.limit) break;
  }
  return problems === 0 ? 0 : 1;
}
