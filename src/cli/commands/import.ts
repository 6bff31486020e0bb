import { IMPORT_OPTIONS } from '../../operations/option-table.js';
import { type Command, defineCommand } from '../command.js';
import { pick } from '../options/flags.js';
import { IMPORT_FLAGS, INPUTS, runOptions, VALIDATE_FLAGS } from '../options/run.js';
import { listenForInterruption } from '../runs/interruption.js';

/** `docferry import`: read, map, validate, post, report. */
export const IMPORT: Command = defineCommand({
  usage: 'import <input..>',
  describe: 'Import records: read, map, validate, post, report',
  positionals: INPUTS,
  options: IMPORT_FLAGS,
  examples: [
    'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
    "import 'exports/*.csv' -m mapping.yaml --monitoring 1 --rejects 'rejects-{run}.csv'",
    'import - -m mapping.yaml --monitoring 1 --json < reviews.csv > report.json',
    'import reviews.csv -m mapping.yaml --monitoring 1 --metrics reviews.prom',
    'import reviews.csv -m mapping.yaml --monitoring 1 --events events.ndjson',
  ],
  run: async (args) => {
    const { runImport } = await import('../runs/run-import.js');
    const { monitoring } = args;
    // runOptions has the files that aren't stdout.
    const { reportFile: _, eventsFile: __, ...given } = pick(IMPORT_OPTIONS, args);
    return await runImport({ ...given, ...runOptions(args), monitoring }, args);
  },
});

/** `docferry validate`: the same path as an import, nothing sent. */
export const VALIDATE: Command = defineCommand({
  usage: 'validate <input..>',
  describe: 'Validate every record; nothing is sent',
  positionals: INPUTS,
  options: VALIDATE_FLAGS,
  examples: [
    'validate reviews.csv -m mapping.yaml',
    'validate reviews.csv -m mapping.yaml --rejects invalid.csv --max-errors 5%',
    'validate reviews.csv -m mapping.yaml --html report.html',
  ],
  run: async (args) => {
    const { validateDocuments } = await import('../../operations/import-documents.js');
    const { planMetrics } = await import('../runs/metrics-file.js');
    const { sayUnwritten, showRun } = await import('../runs/show-run.js');
    const options = runOptions(args);
    const { metrics } = args;
    const writeMetrics = metrics === undefined ? undefined : await planMetrics(metrics, options);
    const interruption = listenForInterruption();
    try {
      const { signal } = interruption;
      const run = validateDocuments({ ...options, signal, throwOn: 'never' });
      const report = await showRun(run, args);
      sayUnwritten(report, options);
      return writeMetrics?.(report) ?? report.exitCode;
    } finally {
      interruption.dispose();
    }
  },
});
