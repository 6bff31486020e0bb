/** What commands show in a terminal: lines that fit, and colour only where it is wanted. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/model/terminal.js';
import { shellWord } from '../../src/model/text.js';
import { ALL_COMMANDS } from '../helpers/commands.js';
import { ROOT } from '../helpers/markdown.js';
import { HAS } from '../helpers/needs.js';
import { docferryOnce, MAIN } from '../helpers/run-cli.js';
import { eachSample, longTest, sample } from '../helpers/runs.js';

/** The narrowest first: a screen that fits it hardly fails to fit the others. */
const WIDTHS = [60, 80, 120];
/** How many screens are tried at all widths. */
const AT_ALL_WIDTHS = 2;
const BAD = 'hotel-reviews-with-mistakes.csv';
/** Screens, in the order in which somebody sees them. */
const SCREENS = [
  '--help',
  'import --help',
  'mapping list',
  'guess booking-extranet.csv --no-ready -o guessed.yaml --overwrite',
  `preview ${BAD} -m hotel-reviews.yaml --limit 3`,
  `validate ${BAD} -m hotel-reviews.yaml`,
  'validate nowhere.csv -m hotel-reviews.yaml',
  `import ${BAD} -m hotel-reviews.yaml --monitoring 1 --sandbox`,
  'runs list',
  'monitorings list --sandbox',
  'runs show RUN',
  'runs resume RUN --sandbox',
  'verify RUN --sandbox',
  'mapping test hotel-reviews.yaml',
  'guess booking-extranet.csv -o ready.yaml --overwrite',
];

let cwd: string;
/** An import that ended with rejects. */
let run: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'docferry-'));
  for (const name of [BAD, 'booking-extranet.csv']) {
    copyFileSync(path.join(ROOT, 'samples', name), path.join(cwd, name));
  }
  copyFileSync(
    path.join(ROOT, 'mappings/hotel-reviews.yaml'),
    path.join(cwd, 'hotel-reviews.yaml'),
  );
  const imported = ['import', BAD, '-m', 'hotel-reviews.yaml', '--monitoring', '1', '--sandbox'];
  const { stdout } = await docferryOnce([...imported, '--json'], { cwd });
  writeFileSync(path.join(cwd, 'report.json'), stdout);
  ({ run } = JSON.parse(stdout) as { readonly run: string });
});

afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Runs a command in a terminal of a width; returns what it shows at the end, and all it wrote. */
async function screen(
  words: string,
  width: number,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly lines: readonly string[]; readonly written: string }> {
  return await shownIn(width, `${shellWord(MAIN)} ${words}`, env);
}

/** What Node shows in a terminal of a width. */
async function shownIn(
  width: number,
  program: string,
  env: NodeJS.ProcessEnv = {},
): ReturnType<typeof screen> {
  const typed = `stty cols ${width}; exec node ${program}`;
  const { COLUMNS: _, NO_COLOR: __, FORCE_COLOR: ___, ...inherited } = process.env;
  const { stdout } = await promisify(execFile)('script', ['-qc', typed, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm-256color', ...env },
  });
  const shown = stripVTControlCharacters(stdout.replaceAll('\r\n', '\n'));
  return { written: stdout, lines: shown.split('\n').map((line) => line.split('\r').at(-1) ?? '') };
}

function expectFits(lines: readonly string[], width: number): void {
  const long = lines.filter((line) => displayWidth(line) > width);
  // A word that is wider than the terminal, as a path, is left whole.
  const wrappable = long.filter((line) => !line.startsWith(ROOT));
  expect(wrappable.filter((line) => /\S\s+\S/.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join('\n')).not.toMatch(/ $|\n\n\n/m);
}

describe.runIf(HAS.terminal)('in a terminal', () => {
  eachSample()(
    SCREENS.map((words, at) => [words, at < AT_ALL_WIDTHS ? sample(WIDTHS) : WIDTHS.slice(0, 1)]),
  )('%s fits %j columns, without stray blanks', async (words, widths) => {
    for (const width of widths as readonly number[]) {
      const { lines } = await screen(String(words).replace('RUN', run), width);
      expectFits(lines, width);
    }
  });

  longTest('the help of each command fits 60 columns', async () => {
    const helps = ALL_COMMANDS.map(({ words }) => [...words, '--help']);
    const door = pathToFileURL(path.join(path.dirname(MAIN), 'command-line.js')).href;
    // One after another in one process: to start one takes far longer than help.
    const program = `import { runCommandLine } from '${door}';
      for (const words of ${JSON.stringify(helps)}) {
        process.argv = [process.execPath, ${JSON.stringify(MAIN)}, ...words];
        await runCommandLine(words);
        process.stdout.write('\\f');
      }`;
    const { lines } = await shownIn(60, `--input-type=module -e ${shellWord(program)}`);
    const shown = lines.join('\n').split('\f').slice(0, -1);
    expect(shown).toHaveLength(helps.length);
    for (const help of shown) expectFits(help.split('\n'), 60);
  });

  it('shows examples that can be pasted, however narrow it is', async () => {
    const { lines } = await screen('import --help', 60);
    const example = /^ {2}docferry import - .* < reviews\.csv > report\.json$/m;
    const pasted = lines
      .join('\n')
      .replaceAll(/^ {2}(?:node|npx) .*? import/gm, '  docferry import');
    expect(pasted.replaceAll(/ \\\n +/g, ' ')).toMatch(example);
  });

  it('has colour, unless it is not wanted', async () => {
    const words = `validate ${BAD} -m hotel-reviews.yaml`;
    expect((await screen(words, 80)).written).toContain('\u001b[1mFinished: ');
    for (const env of sample([{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }])) {
      // Progress is still redrawn in place, where a terminal can.
      const { written } = await screen(`${words} --quiet`, 80, env);
      expect(written).toContain('Finished: ');
      expect(written).not.toContain('\u001b');
    }
  });
});
