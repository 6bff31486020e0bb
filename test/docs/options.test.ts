import { execFileSync } from 'node:child_process';
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
  return ['json', 'quiet', 'metrics', 'detach', 'sandbox', 'job'].includes(name)
    ? ''
    : `\`${name}\``;
}

function value(entry: OptionEntry): string {
  const { type, choices, unit, help = '' } = entry;
  if (choices !== undefined) return choices.join(', ');
  if (type === 'boolean') return '';
  if (type === 'integer' || type === 'number') {
    const numbers = expected(entry, unit === 'seconds' ? 1_000 : 1);
    return unit === undefined ? numbers : `${numbers}, in seconds`;
  }
  return /\b(file|folder)\b/i.exec(help)?.[1]?.toLowerCase() ?? 'text';
}

it('docs/options.md has every option as its entry says', () => {
  if (process.env['UPDATE_CONTRACT']) writeFileSync(PAGE, optionsPage());
  expect(readFileSync(PAGE, 'utf8')).toBe(optionsPage());
});

/** The connection comes from the environment: the job file is kept under version control. */
const NOT_IN_JOBS = ['job', 'json', 'baseUrl', 'username', 'apiKeyFile', 'ca', 'sandbox', 'state'];

/** The schema of job files, as the tables of options make it. */
function jobsSchema(): object {
  const entries = Object.entries(IMPORT_FLAGS as Record<string, OptionEntry>);
  const options = entries
    .filter(([name, { flag }]) => flag !== undefined && !NOT_IN_JOBS.includes(name))
    .map(([, entry]) => [entry.flag, { ...valueSchema(entry), description: entry.help }]);
  const input = {
    ...TEXTS,
    description: 'Files, globs or https: links, relative to the folder of the job file.',
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://docferry.dev/schemas/jobs.schema.json',
    title: 'docferry.yaml',
    description:
      'Imports by name, each with the options of docferry import. docs/jobs.md explains it.',
    type: 'object',
    required: ['jobs'],
    additionalProperties: false,
    'x-expected': 'an object with jobs',
    properties: {
      $schema: { type: 'string', description: 'Where editors find this schema.' },
      defaults: { $ref: '#/$defs/options', description: 'Options of all jobs.' },
      jobs: {
        type: 'object',
        minProperties: 1,
        additionalProperties: { $ref: '#/$defs/options' },
        'x-expected': 'an object with at least one job by its name',
        description: 'The jobs by name, for docferry import --job NAME.',
      },
    },
    $defs: {
      options: {
        type: 'object',
        additionalProperties: false,
        'x-expected': 'an object with options',
        properties: { input, ...Object.fromEntries(options) },
      },
    },
  };
}

const TEXTS = {
  type: ['string', 'number', 'array'],
  items: { type: ['string', 'number'], 'x-expected': 'a text; put NULL in quotes' },
  minItems: 1,
  'x-expected': 'a text, or a list of texts',
};

function valueSchema(entry: OptionEntry): object {
  const { type, choices, repeatable, bare } = entry;
  if (choices !== undefined) return { enum: choices };
  if (repeatable) return TEXTS;
  if (type === 'boolean') return { type, 'x-expected': 'true or false' };
  if (bare !== undefined) return { type: ['string', 'boolean'], 'x-expected': 'a text, or true' };
  if (type === 'text' || ['mapping', 'schema'].includes(entry.flag ?? ''))
    return { type: 'string', 'x-expected': 'a text' };
  if (type !== 'any') return numberSchema(entry);
  const items = { type: ['string', 'number'], 'x-expected': 'a text or a number' };
  return { type: ['string', 'number', 'array'], items, 'x-expected': 'a text or a number' };
}

function numberSchema(entry: OptionEntry): object {
  const { type, min, max, unit } = entry;
  const scale = unit === 'seconds' ? 1_000 : 1;
  return {
    type: scale === 1 ? type : 'number',
    ...(min === undefined ? {} : { minimum: min / scale }),
    ...(max === undefined ? {} : { maximum: max / scale }),
    'x-expected': expected(entry, scale),
  };
}

it('schemas/jobs.schema.json has every option of an import as its entry says', () => {
  const file = path.join(ROOT, 'schemas/jobs.schema.json');
  if (process.env['UPDATE_CONTRACT']) {
    writeFileSync(file, JSON.stringify(jobsSchema()));
    execFileSync('npx', ['biome', 'format', '--write', file], { cwd: ROOT });
  }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(jobsSchema());
});
