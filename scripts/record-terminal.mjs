// @ts-check
// Records docs/first-import.svg: guess, validate and import of a made-up export, as a terminal shows
// them. Needs `npm run build` and util-linux' `script`: `node scripts/record-terminal.mjs`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMANDS = [
  'docferry guess reviews.csv -o reviews.yaml',
  'docferry validate reviews.csv -m reviews.yaml',
  'docferry import reviews.csv -m reviews.yaml --monitoring 1 --sandbox',
];
const COLUMNS = 100;
/** Lines that are visible at once. */
const ROWS = 28;
/** In pixels. */
const CHARACTER = { width: 8.43, height: 19 };
const MARGIN = 16;
/** Seconds for a typed character, a line of output, and reading the output of a command. */
const PACE = { character: 0.04, line: 0.06, reading: 5 };

/** CSS classes of the codes of SGR sequences that docferry uses. */
const CLASSES = /** @type {Record<string, string>} */ ({
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
});

/**
 * @typedef {object} Line
 * @property {string} markup
 * @property {number} at when it appears, in seconds
 */

const folder = mkdtempSync(path.join(tmpdir(), 'docferry-recording-'));
try {
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(path.join(ROOT, 'dist/cli/main.js'), path.join(bin, 'docferry'));
  writeFileSync(path.join(folder, 'reviews.csv'), madeUpReviews());
  let lines = /** @type {Line[]} */ ([]);
  for (const command of COMMANDS) lines = [...lines, ...play(command, lines.at(-1)?.at ?? 0)];
  writeFileSync(path.join(ROOT, 'docs/first-import.svg'), drawing(lines));
} finally {
  rmSync(folder, { recursive: true });
}

/** Makes an export of 1,200 reviews; three have no rating. */
function madeUpReviews() {
  const script = path.join(ROOT, 'bench/make-reviews.mjs');
  const csv = execFileSync(process.execPath, [script, '--rows', '1200'], { encoding: 'utf8' });
  const isBad = /** @param {number} number */ (number) => [170, 544, 911].includes(number);
  return csv.replaceAll(/^(r-(\d+),[^,]*,[^,]*,[^,]*,[^,]*,)[^,]*/gm, (row, start, number) =>
    isBad(Number(number)) ? `${start}n/a` : row,
  );
}

/**
 * Runs a command; returns its prompt and what it prints.
 * @param {string} command
 * @param {number} after seconds
 * @returns {readonly Line[]}
 */
function play(command, after) {
  const start = after + (after === 0 ? 1 : PACE.reading);
  const typed = start + command.length * PACE.character;
  const prompt = { markup: `<tspan class="dim">$</tspan> ${escaped(command)}`, at: start };
  const output = run(command).map((markup, row) => ({ markup, at: typed + row * PACE.line }));
  return [prompt, ...output, { markup: '', at: output.at(-1)?.at ?? typed }];
}

/** @param {string} command */
function run(command) {
  const inTerminal = `stty cols ${COLUMNS} rows 50; ${command}; true`;
  const output = execFileSync('script', ['-qec', inTerminal, '/dev/null'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: [path.join(folder, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(
        ':',
      ),
      TERM: 'xterm-256color',
    },
  });
  return output.replaceAll('\r\n', '\n').trimEnd().split('\n').map(lineMarkup);
}

/**
 * A line as it stands in the end: what a progress bar showed before a carriage return is gone.
 * @param {string} line
 */
function lineMarkup(line) {
  const shown = line.slice(line.lastIndexOf('\r') + 1);
  let open = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are the escape sequences
  const parts = shown.split(/\u001b\[([\d;]*)([A-Za-z])/);
  let markup = '';
  for (let at = 0; at < parts.length; at += 3) {
    markup += escaped(parts[at] ?? '');
    if (parts[at + 2] !== 'm') continue;
    if (open) markup += '</tspan>';
    const name = CLASSES[parts[at + 1] ?? ''];
    open = name !== undefined;
    if (open) markup += `<tspan class="${name}">`;
  }
  return open ? `${markup}</tspan>` : markup;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Draws the lines; each appears at its time, and older ones scroll away.
 * @param {readonly Line[]} lines
 */
function drawing(lines) {
  const total = (lines.at(-1)?.at ?? 0) + PACE.reading;
  const percent = /** @param {number} at */ (at) => `${((100 * at) / total).toFixed(2)}%`;
  const shows = lines.map(
    ({ at }, row) =>
      `@keyframes l${row}{0%,${percent(at)}{opacity:0}${percent(at + 0.01)},100%{opacity:1}}.l${row}{animation:l${row} ${total.toFixed(1)}s linear infinite}`,
  );
  const scrolled = new Map(
    lines
      .slice(ROWS)
      .map(({ at }, beyond) => [
        percent(at),
        `{transform:translateY(${-CHARACTER.height * (beyond + 1)}px)}`,
      ]),
  );
  const scrolling = [...scrolled].map(([at, style]) => at + style).join('');
  const last = -CHARACTER.height * Math.max(0, lines.length - ROWS);
  const texts = lines.map(
    ({ markup }, row) =>
      `<text class="l${row}" x="${MARGIN}" y="${MARGIN + CHARACTER.height * (row + 0.8)}">${markup}</text>`,
  );
  const width = Math.ceil(2 * MARGIN + COLUMNS * CHARACTER.width);
  const height = 2 * MARGIN + ROWS * CHARACTER.height;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>A terminal: guess, validate and import of an export of 1,200 reviews</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d8dee9;white-space:pre}
.dim{fill:#8a94a6}.bold{font-weight:bold;fill:#fff}.red{fill:#ff7b72}.green{fill:#7ee787}.yellow{fill:#f2cc60}
.all{transform:translateY(${last}px)}
@media (prefers-reduced-motion:no-preference){
.all{animation:scroll ${total.toFixed(1)}s step-end infinite}
@keyframes scroll{0%{transform:none}${scrolling}100%{transform:translateY(${last}px)}}
${shows.join('\n')}
}
</style>
<rect width="100%" height="100%" rx="8" fill="#161b22"/>
<clipPath id="screen"><rect y="${MARGIN}" width="${width}" height="${ROWS * CHARACTER.height}"/></clipPath>
<g clip-path="url(#screen)"><g class="all">
${texts.join('\n')}
</g></g>
</svg>
`;
}
