import { thousands } from '../../../model/figures.js';
import { argument, option } from '../../../model/options.js';
import { shownInput } from '../../../model/text.js';
import type { MappingTestResult } from '../../../operations/mappings.js';
import { MAPPING_OPTIONS } from '../../../operations/option-table.js';
import { programName } from '../../../report/program-name.js';
import { type CommandGroup, defineCommand } from '../../command.js';
import type { OptionValues } from '../../options/flags.js';
import { INPUTS, JSON_OPTION, recordOptions } from '../../options/run.js';
import { printOpenQuestions } from '../../output/mapping-hints.js';
import { jsonText, logCommand, print, printText } from '../../print.js';
import { mappingOutput, OUT_OPTIONS } from './guess.js';

const FILES = {
  file: argument('Mapping files', { repeatable: true }),
} as const;

const LEARN_OPTIONS = {
  ...MAPPING_OPTIONS,
  ...OUT_OPTIONS,
  out: {
    ...OUT_OPTIONS.out,
    defaultText: 'the mapping file itself',
    help: 'File to write the mapping to',
  },
} as const;

export const MAPPING: CommandGroup = {
  usage: 'mapping',
  describe: 'Work with mapping files',
  examples: [
    'mapping list',
    'mapping show hotel-reviews > hotels.yaml',
    'mapping test hotels.yaml',
  ],
  commands: [
    defineCommand({
      usage: 'check <file..>',
      describe: 'List mistakes and TODOs in mapping files, with lines and columns',
      positionals: FILES,
      options: {
        json: option.boolean('json', 'Print them as JSON, with offsets and paths'),
      },
      examples: ['mapping check mapping.yaml', 'mapping check mapping.yaml --json'],
      run: ({ file, json = false }) => runCheck(file, json),
    }),
    defineCommand({
      usage: 'test <file..>',
      describe: "Run a mapping's own tests",
      positionals: FILES,
      options: JSON_OPTION,
      examples: ['mapping test mapping.yaml'],
      run: ({ file, json = false }) => runTests(file, json),
    }),
    defineCommand({
      usage: 'learn <input..>',
      describe: 'Record in a mapping what a good file looks like, to detect files that differ',
      positionals: INPUTS,
      options: LEARN_OPTIONS,
      examples: ['mapping learn reviews.csv -m mapping.yaml -o learned.yaml'],
      run: runLearn,
    }),
    defineCommand({
      usage: 'list',
      describe: 'List the ready-made mappings; as JSON, with their columns',
      options: JSON_OPTION,
      examples: ['mapping list', 'mapping list --json'],
      run: ({ json = false }) => runList(json),
    }),
    defineCommand({
      usage: 'show <name>',
      describe: 'Print a ready-made mapping',
      positionals: {
        name: argument('Its name, as printed by mapping list'),
      },
      examples: ['mapping show hotel-reviews > mine.yaml'],
      run: ({ name }) => runShow(name),
    }),
  ],
};

async function runCheck(files: readonly string[], json: boolean): Promise<number> {
  const { checkMappingFile } = await import('../../../operations/mappings.js');
  const checked = await Promise.all(
    files.map(async (file) => ({ file, mistakes: await checkMappingFile(file) })),
  );
  if (json) print(JSON.stringify(checked, null, 2));
  for (const { file, mistakes } of json ? [] : checked) {
    for (const { line, column, message } of mistakes)
      printText(`${file}:${line}:${column}: ${message}`);
    if (mistakes.length === 0) printText(`${file}: no mistakes`);
  }
  const wrong = checked.flatMap(({ mistakes }) => mistakes);
  return wrong.some(({ severity }) => severity === 'error') ? 2 : 0;
}

async function runTests(files: readonly string[], json: boolean): Promise<number> {
  const { testMapping } = await import('../../../operations/mappings.js');
  const tested: { file: string; tests: readonly MappingTestResult[] }[] = [];
  for (const file of files) {
    const tests = await testMapping(file);
    tested.push({ file, tests });
    if (json) continue;
    for (const result of tests) printText(resultText(file, result), result.passed ? 'good' : 'bad');
    if (tests.length === 0) printText(`${file} has no tests. Add some under the key tests.`);
  }
  if (json) print(jsonText(tested));
  else for (const file of files) await printOpenQuestions(file);
  return tested.every(({ tests }) => tests.every(({ passed }) => passed)) ? 0 : 1;
}

function resultText(file: string, { index, name, differences }: MappingTestResult): string {
  const title = `${file}: test ${index + 1}${name ? ` (${name})` : ''}`;
  return [title, ...differences.map((difference) => `    ${difference}`)].join('\n');
}

async function runLearn(
  args: OptionValues<typeof LEARN_OPTIONS> & OptionValues<typeof INPUTS>,
): Promise<number> {
  const { learnMapping } = await import('../../../operations/mappings.js');
  const { mapping, out = mapping, overwrite = false } = args;
  const write = mappingOutput({ file: out, overwrite, inputs: args.input, changes: mapping });
  const { text, expects } = await learnMapping(recordOptions(args));
  write(text);
  const records = thousands(expects.records);
  printText(
    `${out} expects files that look like the first ${records} records of ${args.input.map(shownInput).join(' ')}: import and validate stop at files that differ.`,
  );
  await printOpenQuestions(out);
  return 0;
}

async function runList(json: boolean): Promise<number> {
  const { readyMappings } = await import('../../../operations/mappings.js');
  const mappings = readyMappings();
  if (json) {
    print(jsonText(mappings));
    return 0;
  }
  const { readyListText } = await import('../../output/ready-list.js');
  const { terminalOf } = await import('../../output/terminal-of.js');
  process.stdout.write(readyListText(mappings, terminalOf(process.stdout)));
  const show = `${programName()} mapping show NAME > mapping.yaml`;
  logCommand('To write one to a file:', show);
  return 0;
}

async function runShow(name: string): Promise<number> {
  const { readReadyMapping } = await import('../../../operations/mappings.js');
  process.stdout.write(await readReadyMapping(name));
  return 0;
}
