/** Examples for the help of every command. The tests run them in a folder with these files. */
import { programName } from './program-name.js';

const JUNE = '--monitorings 1 --start 2024-06-01 --end 2024-06-30';

/** What follows the program's name, by the command. `RUN` stands for the id of a run. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'guess reviews.csv -o guessed.yaml',
    'validate reviews.csv -m mapping.yaml',
    'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
  ],
  import: [
    'import reviews.csv -m mapping.yaml --monitoring 1 --sandbox',
    "import 'exports/*.csv' -m mapping.yaml --monitoring 1 --rejects 'rejects-{run}.csv'",
    'import - -m mapping.yaml --monitoring 1 --json < reviews.csv > report.json',
    'import reviews.csv -m mapping.yaml --monitoring 1 --metrics reviews.prom',
    'import reviews.csv -m mapping.yaml --monitoring 1 --events events.ndjson',
  ],
  validate: [
    'validate reviews.csv -m mapping.yaml',
    'validate reviews.csv -m mapping.yaml --rejects invalid.csv --max-errors 5%',
    'validate reviews.csv -m mapping.yaml --html report.html',
    'validate reviews.csv -m mapping.yaml --summary summary.md --annotations',
  ],
  preview: [
    'preview reviews.csv -m mapping.yaml --limit 2',
    'preview reviews.csv -m mapping.yaml --record 3',
  ],
  guess: ['guess reviews.csv -o guess.yaml', 'guess reviews.csv --no-ready --delimiter ,'],
  studio: ['studio reviews.csv', 'studio reviews.csv -m mapping.yaml --port 8080 --no-open'],
  runs: ['runs list', 'runs show RUN', 'runs resume RUN'],
  'runs list': ['runs list', 'runs list --json'],
  'runs show': ['runs show RUN', 'runs show RUN --html run.html', 'runs show RUN --follow'],
  'runs resume': ['runs resume RUN', 'runs resume RUN --max-errors 100%'],
  'runs retry': ['runs retry RUN'],
  'runs resolve': ['runs resolve RUN'],
  'runs cancel': ['runs cancel RUN'],
  'runs prune': ['runs prune --older-than 90'],
  report: ['report report.json', 'report report.json --html page.html'],
  worker: ['worker --api-key-file key.txt', 'worker --until-done RUN --root /data=/mnt/data'],
  'target-singer': ['target-singer --config target.json < tap.jsonl >> states.jsonl'],
  verify: ['verify RUN'],
  mapping: ['mapping list', 'mapping show hotel-reviews > hotels.yaml', 'mapping test hotels.yaml'],
  'mapping check': ['mapping check mapping.yaml', 'mapping check mapping.yaml --json'],
  'mapping test': ['mapping test mapping.yaml'],
  'mapping learn': ['mapping learn reviews.csv -m mapping.yaml -o learned.yaml'],
  'mapping list': ['mapping list'],
  'mapping show': ['mapping show hotel-reviews > mine.yaml'],
  monitorings: ['monitorings list', 'monitorings show 1'],
  'monitorings list': ['monitorings list', 'monitorings list --json'],
  'monitorings show': ['monitorings show 1'],
  'monitorings create': [
    "monitorings create --title Hotels --status paused --search 'YTB:hotel sevilla'",
  ],
  'monitorings rename': ["monitorings rename 1 'Our hotels'"],
  'monitorings add-searches': ["monitorings add-searches 1 --search 'YTB:hotel sevilla'"],
  'monitorings remove-searches': ['monitorings remove-searches 1 1'],
  documents: [`documents ${JUNE}`, `documents ${JUNE} --sentiments R --json > bad.json`],
  feed: ['feed --monitorings 1 --output jsonl --cursor-file hotels.cursor >> hotels.jsonl'],
  context: ['context 1', 'context 1 --tree --json'],
  authors: [`authors ${JUNE} --limit 20`],
  indicators: [`indicators ${JUNE}`],
  chart: [`chart ${JUNE} --json`],
  sandbox: ['sandbox --monitoring 1', 'sandbox --demo'],
  completion: ['completion bash > docferry.bash', 'completion zsh > _docferry'],
};

/** The end of the help of a command. */
export function examplesFor(command: readonly string[]): string {
  const lines = (EXAMPLES[command.join(' ')] ?? []).map((line) => `  ${programName()} ${line}`);
  return ['Examples:', ...lines].join('\n');
}
