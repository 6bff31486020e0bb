import { thousands } from '../../../model/figures.js';
import type { MappingTestResult } from '../../../operations/test-mapping.js';
import { defineCommand, type GroupedCommand } from '../../command.js';
import { type InputArguments, recordOptions, withInputs } from '../../options/input.js';
import { print } from '../../print.js';

/** `docferry mapping`: checks and tests mapping files, lets them learn, and shows those that are ready-made. */
export const MAPPING: readonly GroupedCommand[] = [
  {
    name: 'check',
    positionals: '<file..>',
    describe: 'List what is wrong in mapping files, and their TODOs, with lines and columns',
    ...defineCommand(
      (argv) =>
        argv
          .positional('file', {
            type: 'string',
            array: true,
            demandOption: true,
            describe: 'Mapping files',
          })
          .option('json', {
            type: 'boolean',
            default: false,
            describe: 'Print them as JSON, with offsets and paths',
          }),
      ({ file, json }) => runCheck(file, json),
    ),
  },
  {
    name: 'test',
    positionals: '<file..>',
    describe: "Run a mapping's own tests",
    ...defineCommand(
      (argv) =>
        argv.positional('file', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Mapping files',
        }),
      ({ file }) => runTests(file),
    ),
  },
  {
    name: 'learn',
    positionals: '<input..>',
    describe: 'Keep in a mapping what a good file looks like, so that others are compared with it',
    ...defineCommand(
      (argv) =>
        withInputs(argv)
          .option('out', {
            type: 'string',
            // Its name was output.
            alias: ['o', 'output'],
            requiresArg: true,
            describe: 'Where to write the mapping (default: the mapping file itself)',
          })
          .option('force', { type: 'boolean', default: false, describe: 'Write over that file' }),
      runLearn,
    ),
  },
  {
    name: 'list',
    describe: 'List the ready-made mappings, and the columns by which to tell their layouts',
    ...defineCommand((argv) => argv, runList),
  },
  {
    name: 'show',
    positionals: '<name>',
    describe: 'Print a ready-made mapping, to be used or changed',
    ...defineCommand(
      (argv) =>
        argv.positional('name', {
          type: 'string',
          demandOption: true,
          describe: 'Its name, as list has it',
        }),
      ({ name }) => runShow(name),
    ),
  },
];

async function runCheck(files: readonly string[], json: boolean): Promise<number> {
  const { checkMappingFile } = await import('../../../operations/test-mapping.js');
  const checked = await Promise.all(
    files.map(async (file) => ({ file, mistakes: await checkMappingFile(file) })),
  );
  if (json) print(JSON.stringify(checked, null, 2));
  for (const { file, mistakes } of json ? [] : checked) {
    for (const { line, column, message } of mistakes)
      print(`${file}:${line}:${column}: ${message}`);
    if (mistakes.length === 0) print(`${file}: nothing is wrong`);
  }
  const wrong = checked.flatMap(({ mistakes }) => mistakes);
  return wrong.some(({ severity }) => severity === 'error') ? 2 : 0;
}

async function runTests(files: readonly string[]): Promise<number> {
  const { testMapping } = await import('../../../operations/test-mapping.js');
  let failed = 0;
  for (const file of files) {
    const results = await testMapping(file);
    for (const result of results) print(resultText(file, result));
    failed += results.filter(({ passed }) => !passed).length;
    if (results.length === 0) print(`${file} has no tests: add some under tests:`);
  }
  return failed === 0 ? 0 : 1;
}

function resultText(file: string, { index, name, passed, differences }: MappingTestResult): string {
  const title = `${passed ? '✓' : '✗'} ${file}: test ${index + 1}${name ? ` (${name})` : ''}`;
  return [title, ...differences.map((difference) => `    ${difference}`)].join('\n');
}

type LearnArguments = InputArguments & {
  readonly out: string | undefined;
  readonly force: boolean;
};

async function runLearn(args: LearnArguments): Promise<number> {
  const { learnMapping } = await import('../../../operations/learn-expectations.js');
  const { mappingOutput } = await import('./mapping-output.js');
  const { mapping, out = mapping, force } = args;
  const write = mappingOutput({ file: out, force, inputs: args.input, changes: mapping });
  const { text, expects } = await learnMapping(recordOptions(args));
  write(text);
  const records = thousands(expects.records);
  print(
    `${out} expects files that look like the first ${records} records of ${args.input.join(' ')}: import and validate stop at others.`,
  );
  return 0;
}

async function runList(): Promise<number> {
  const { readyMappings } = await import('../../../operations/ready-mappings.js');
  const texts = readyMappings().map((ready) => {
    const { name, format, columns, more } = ready;
    const names = columns.map(columnText).join(', ');
    return `${name}\n  ${ready.export} (${format})\n  ${names}${more ? ', others between' : ''}\n`;
  });
  process.stdout.write(`${texts.join('\n')}`);
  return 0;
}

/** Names with commas, or without a letter, can be told from the list's own commas. */
function columnText(column: string): string {
  return /^[^,"]+$/.test(column) ? column : JSON.stringify(column);
}

async function runShow(name: string): Promise<number> {
  const { readReadyMapping } = await import('../../../operations/ready-mappings.js');
  process.stdout.write(await readReadyMapping(name));
  return 0;
}
