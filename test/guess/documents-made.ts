import { type ImportedDocument, type PreviewOptions, previewDocuments } from '../../src/index.js';
import { parseMapping } from '../../src/mapping/load/load-mapping.js';
import { collect } from '../helpers/collect.js';

/** What the text of a mapping makes of each record, invalid or not: `null` of one that is skipped. */
export async function documentsMade(
  input: PreviewOptions['input'],
  text: string,
): Promise<readonly (ImportedDocument | null)[]> {
  const mapping = parseMapping(text, 'guessed.yaml');
  return (await collect(previewDocuments({ input, mapping }))).map(({ document }) => document);
}
