import type { Argv, CommandModule } from 'yargs';
import type { MappingTestResult } from '../../mapping/run-mapping-tests.js';
import type { CommandBody, Start } from '../command.js';

interface MappingTestArguments {
  readonly file: string[];
}

/** `docferry mapping test`: runs the tests that stand in mapping files. */
export function mappingCommand(start: Start): CommandBody<object> {
  return {
    builder: (argv) =>
      argv
        .command(testCommand(start))
        .demandCommand(1, 'Say what to do with a mapping: test.') as Argv<object>,
    handler: () => {},
  };
}

function testCommand(start: Start): CommandModule<object, MappingTestArguments> {
  return {
    command: 'test <file..>',
    describe: "Run a mapping's own tests",
    builder: (argv) =>
      argv.positional('file', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Mapping files',
      }) as Argv<MappingTestArguments>,
    handler: ({ file }) => start(() => runTests(file)),
  };
}

async function runTests(files: readonly string[]): Promise<number> {
  const { loadMapping } = await import('../../mapping/load-mapping.js');
  const { runMappingTests } = await import('../../mapping/run-mapping-tests.js');
  let failed = 0;
  for (const file of files) {
    const results = runMappingTests(await loadMapping(file));
    process.stdout.write(results.map((result) => resultText(file, result)).join(''));
    failed += results.filter(({ passed }) => !passed).length;
    if (results.length === 0) process.stdout.write(`${file} has no tests: add some under tests:\n`);
  }
  return failed === 0 ? 0 : 1;
}

function resultText(file: string, { index, name, passed, differences }: MappingTestResult): string {
  const title = `${passed ? '✓' : '✗'} ${file}: test ${index + 1}${name ? ` (${name})` : ''}\n`;
  return title + differences.map((difference) => `    ${difference}\n`).join('');
}
