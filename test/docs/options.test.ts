import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultText, helpText } from '../../src/cli/options/flags.js';
import { IMPORT_FLAGS } from '../../src/cli/options/run.js';
import { expected, type OptionEntry } from '../../src/model/options.js';
import { PREVIEW_OPTIONS } from '../../src/operations/option-table.js';
import { SOURCE_OPTIONS } from '../../src/operations/options.js';
import { ROOT } from '../helpers/markdown.js';

const PAGE = path.join(ROOT, 'docs/options.md');

const HEAD = `# Options

The options of \`docferry import\`. \`validate\` and \`preview\` have those of their kind, and \`runs resume\` some. The table is made from the options' own entries (\`src/operations/option-table.ts\`, \`src/formats/options.ts\`, \`src/cli/options/\`).

| flag | in code | value | default | |
|---|---|---|---|---|
`;

/** The page as the tables of options make it. */
function optionsPage(): string {
  const rows = Object.entries({ ...IMPORT_FLAGS, ...PREVIEW_OPTIONS } as Record<
    string,
    OptionEntry
  >)
    .filter(([, { flag }]) => flag !== undefined)
    .map(([name, entry]) => {
      const { flag, short } = entry;
      const flags = [`\`--${flag}\``, ...(short ? [`\`-${short}\``] : [])].join(', ');
      const cells = [
        flags,
        nameInCode(name),
        value(entry),
        defaultText(entry) ?? '',
        helpText(entry),
      ];
      return `| ${cells.join(' | ')} |\n`;
    });
  return HEAD + rows.join('');
}

/** Options of the command line alone have no name in code. */
function nameInCode(name: string): string {
  if (Object.hasOwn(SOURCE_OPTIONS, name)) return `\`source.${name}\``;
  return ['json', 'quiet', 'metrics', 'detach', 'sandbox'].includes(name) ? '' : `\`${name}\``;
}

function value(entry: OptionEntry): string {
  const { type, choices, unit, offers } = entry;
  if (choices !== undefined) return choices.join(', ');
  if (type === 'boolean') return '';
  if (type === 'integer' || type === 'number') {
    const numbers = expected(entry, unit === 'seconds' ? 1_000 : 1);
    return unit === undefined ? numbers : `${numbers}, in seconds`;
  }
  return offers?.replace(/s$/, '') ?? 'text';
}

it('docs/options.md has every option as its entry says', () => {
  if (process.env['UPDATE_CONTRACT']) writeFileSync(PAGE, optionsPage());
  expect(readFileSync(PAGE, 'utf8')).toBe(optionsPage());
});
