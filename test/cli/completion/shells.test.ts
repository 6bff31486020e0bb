import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newFolder, put } from '../../helpers/files.js';
import { HAS } from '../../helpers/needs.js';
import { MAIN, PROGRAM } from '../../helpers/run-cli.js';
import { sample } from '../../helpers/runs.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';

/** A home with some files. */
function newHome(): string {
  const folder = newFolder();
  for (const name of ['reviews.csv', 'my notes.csv', 'mapping.yaml']) put(folder, name, '');
  return folder;
}

type Shell = 'bash' | 'zsh';

const START = { bash: 'bash --norc --noprofile -i', zsh: 'zsh -f -i' };

/** Makes a Tab show all that there is, and Ctrl-G the line that the shell holds, which it empties. */
const SET_UP = {
  bash: [
    'show() { echo "[$READLINE_LINE]"; READLINE_LINE= READLINE_POINT=0; }',
    ...[`bind 'set show-all-if-ambiguous on'`, `bind -x '"\\C-g": show'`],
  ],
  zsh: [
    'show() { print -r -- "[$BUFFER]"; BUFFER=; }',
    ...['unsetopt list_ambiguous', 'zle -N show', 'bindkey -e', `bindkey '^G' show`],
  ],
};
const TAB = '\t';
const CTRL_G = '\x07';
const SHOWN_LINE = /\[([^[\]]*)\]\r?\n/;

/** How each shell is told of docferry's completion, in its own words. */
const SOURCED = {
  bash: ['source <(docferry completion)'],
  zsh: ['autoload -Uz compinit && compinit -u -D', 'source <(docferry completion)'],
};

/** Opens a shell that has heard some commands, in a home of its own. */
async function openShell(
  shell: Shell,
  commands: readonly string[],
  { home = newHome(), bin = path.dirname(PROGRAM) } = {},
): Promise<Terminal> {
  const PATH = [bin, process.env['PATH']].join(path.delimiter);
  const env = {
    PATH,
    HOME: home,
    SHELL: shell,
    TERM: 'dumb',
    LC_ALL: 'C',
    PS1: '$ ',
    HISTFILE: '',
  };
  const terminal = openTerminal(START[shell], { cwd: home, env });
  const all = [...SET_UP[shell], ...commands, 'echo "it is "ready'];
  await terminal.type(`${all.join('\n')}\n`, /it is ready/);
  // What is typed before the shell reads keys would be shown twice.
  await terminal.type(CTRL_G, SHOWN_LINE);
  return terminal;
}

/** The line that comes of one with a Tab behind it. */
async function completed(terminal: Terminal, typed: string): Promise<string> {
  const shown = await terminal.type(typed + TAB + CTRL_G, SHOWN_LINE);
  return SHOWN_LINE.exec(shown)?.[1] ?? '';
}

/** Each takes a process. */
const LINES: Readonly<Record<string, string>> = {
  'docferry import --on-unknown h': 'docferry import --on-unknown hold ',
  'docferry import my\\ n': 'docferry import my\\ notes.csv ',
  'docferry impo': 'docferry import ',
  'docferry import https://example.com/x.csv --monit':
    'docferry import https://example.com/x.csv --monitoring ',
  'docferry import --mapping map': 'docferry import --mapping mapping.yaml ',
};

describe.each<Shell>(['bash', 'zsh'])('in %s, Tab', (shell) => {
  const isHere = HAS.terminal && HAS[shell];

  it.skipIf(!isHere)('completes commands, flags, values and files', async () => {
    const terminal = await openShell(shell, SOURCED[shell]);
    for (const [typed, whole] of sample(Object.entries(LINES), 2)) {
      expect(await completed(terminal, typed)).toBe(whole);
    }
  });
});

describe('the script', () => {
  it('completes lines that start with docferry, however it was called', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'completion']);
    expect(stdout).toMatch(/^complete -o .* docferry$/m);
  });
});
