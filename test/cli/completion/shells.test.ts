import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newFolder, put } from '../../helpers/files.js';
import { BASH_COMPLETION, HAS } from '../../helpers/needs.js';
import { docferry, MAIN, PROGRAM } from '../../helpers/run-cli.js';
import { longTest, sample } from '../../helpers/runs.js';
import { openTerminal, type Terminal } from '../../helpers/terminal.js';

const [OLD, NEW] = ['20260101-080000-ffffff', '20260102-080000-aaaaaa'];

/** A folder from which somebody has imported, and which is that person's home. */
function newHome(): string {
  const folder = newFolder();
  for (const name of ['reviews.csv', 'my notes.csv', 'mapping.yaml']) put(folder, name, '');
  for (const id of [OLD, NEW]) addRun(path.join(folder, '.docferry'), id);
  addRun(path.join(folder, 'my state'), OLD);
  mkdirSync(path.join(folder, 'broken'));
  put(folder, 'broken/runs', 'no folder');
  return folder;
}

function addRun(stateDir: string, id: string): void {
  mkdirSync(path.join(stateDir, 'runs', id), { recursive: true });
  writeFileSync(path.join(stateDir, 'runs', id, 'journal.db'), '');
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
  bash: ['source <(docferry completion bash)'],
  zsh: ['autoload -Uz compinit && compinit -u -D', 'source <(docferry completion zsh)'],
};

/** Opens a shell that has heard some commands, in a home of its own. */
async function openShell(
  shell: Shell,
  commands: readonly string[],
  { home = newHome(), bin = path.dirname(PROGRAM) } = {},
): Promise<Terminal> {
  const PATH = [bin, process.env['PATH']].join(path.delimiter);
  const env = { PATH, HOME: home, TERM: 'dumb', LC_ALL: 'C', PS1: '$ ', HISTFILE: '' };
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

/** Without what tells a terminal to do something. */
function withoutSequences(shown: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences start with one
  return shown.replaceAll(/\x1b\[\??[\d;]*[a-zA-Z]|[\r\x07]/g, '');
}

/** Each takes a process: with what comes of it, the parts of completion first that only shells do. */
const LINES: Readonly<Record<string, string>> = {
  'docferry impo': 'docferry import ',
  'docferry import --on-unknown=h': 'docferry import --on-unknown=hold ',
  'docferry runs show --state-dir "my state" ': `docferry runs show --state-dir "my state" ${OLD} `,
  'docferry import https://example.com/x.csv --monit':
    'docferry import https://example.com/x.csv --monitoring ',
  'docferry import my\\ n': 'docferry import my\\ notes.csv ',
  'docferry import --mapping=map': 'docferry import --mapping=mapping.yaml ',
  'docferry runs list --state-dir=my': 'docferry runs list --state-dir=my\\ state/',
  'docferry import --batch-size r': 'docferry import --batch-size r',
  'docferry runs resu': 'docferry runs resume ',
  'docferry import --on-u': 'docferry import --on-unknown ',
  'docferry import --on-unknown h': 'docferry import --on-unknown hold ',
  'docferry import "--on-unknown=h': 'docferry import "--on-unknown=hold" ',
  'docferry runs show 20260102': `docferry runs show ${NEW} `,
  'docferry runs show --state-dir=my\\ state ': `docferry runs show --state-dir=my\\ state ${OLD} `,
  'docferry import rev': 'docferry import reviews.csv ',
  'docferry import "my n': 'docferry import "my notes.csv" ',
  'docferry import - < rev': 'docferry import - < reviews.csv ',
  'docferry mapping show googlepl': 'docferry mapping show googleplay ',
  'docferry mapping show x > rev': 'docferry mapping show x > reviews.csv ',
  'docferry runs list --state-dir ma': 'docferry runs list --state-dir ma',
  'docferry runs cancel ': 'docferry runs cancel ',
  'X=1 docferry verify 20260101': `X=1 docferry verify ${OLD} `,
  'true; docferry runs sh': 'true; docferry runs show ',
};

describe.each<Shell>(['bash', 'zsh'])('in %s, Tab', (shell) => {
  const isHere = HAS.terminal && HAS[shell];

  it.skipIf(!isHere)('completes what is typed, whatever stands before it', async () => {
    const terminal = await openShell(shell, SOURCED[shell]);
    for (const [typed, whole] of sample(Object.entries(LINES), 8)) {
      expect(await completed(terminal, typed)).toBe(whole);
    }
  });

  longTest.skipIf(!isHere)('completes only up to the cursor', async () => {
    const terminal = await openShell(shell, SOURCED[shell]);
    const back = '\x02'.repeat(' --quiet'.length);
    const line = await completed(terminal, `docferry import --on-unknown h --quiet${back}`);
    expect(line).toMatch(/^docferry import --on-unknown hold ? --quiet$/);
  });

  it.skipIf(!isHere)('shows what there is, the latest run first', async () => {
    const terminal = await openShell(shell, SOURCED[shell]);
    const shown = await terminal.type(`docferry runs show ${TAB}${CTRL_G}`, SHOWN_LINE);
    expect(shown).toMatch(new RegExp(`${NEW}\\s+${OLD}\\s`));
  });

  longTest.skipIf(!isHere)('shows no error', async () => {
    const terminal = await openShell(shell, SOURCED[shell]);
    for (const line of [
      'docferry improt ',
      'docferry runs show --state-dir broken ',
      'docferry runs show --state postgres://nobody@192.0.2.1/never ',
      'docferry runs show --state nonsense ',
    ]) {
      const shown = await terminal.type(line + TAB + CTRL_G, SHOWN_LINE);
      expect(withoutSequences(shown)).toMatch(/(docferry .*) \s*\[\1 \]/);
    }
  });

  longTest.skipIf(!isHere)('tells the line to nobody else: it goes through a pipe', async () => {
    const home = newHome();
    const bin = newFolder();
    const script = await docferry(['completion', shell], { cwd: home });
    const source = put(home, 'script', script.stdout);
    const recorder = `#!/bin/sh\necho "$@" > ${home}/arguments\ncat > ${home}/stdin\necho words\n`;
    chmodSync(put(bin, 'docferry', recorder), 0o755);
    const setUp = shell === 'zsh' ? SOURCED.zsh.slice(0, 1) : [];
    const terminal = await openShell(shell, [...setUp, `source ${source}`], { home, bin });
    await completed(terminal, 'docferry runs list --state postgres://me:secret@db/x ');
    expect(readFileSync(path.join(home, 'arguments'), 'utf8')).toBe('--complete-line\n');
    expect(readFileSync(path.join(home, 'stdin'), 'utf8')).toContain('me:secret@db');
  });
});

describe('the script', () => {
  longTest.skipIf(!HAS.terminal || !HAS.zsh)(
    'is a function of zsh in a folder of fpath',
    async () => {
      const home = newHome();
      const { stdout } = await docferry(['completion', 'zsh'], { cwd: home });
      mkdirSync(path.join(home, 'functions'));
      put(home, 'functions/_docferry', stdout);
      const setUp = ['fpath=(~/functions $fpath)', 'autoload -Uz compinit && compinit -u -D'];
      const terminal = await openShell('zsh', setUp, { home });
      expect(await completed(terminal, 'docferry impo')).toBe('docferry import ');
      expect(await completed(terminal, 'docferry runs resu')).toBe('docferry runs resume ');
    },
  );

  longTest.skipIf(!HAS.terminal || !HAS.bashCompletion)(
    'is loaded by bash-completion from its folder',
    async () => {
      const home = newHome();
      const { stdout } = await docferry(['completion', 'bash'], { cwd: home });
      const folder = path.join(home, '.local/share/bash-completion/completions');
      mkdirSync(folder, { recursive: true });
      put(folder, 'docferry', stdout);
      const terminal = await openShell('bash', [`source ${BASH_COMPLETION}`], { home });
      expect(await completed(terminal, 'docferry impo')).toBe('docferry import ');
      expect(await completed(terminal, 'docferry import --on-unknown=h')).toBe(
        'docferry import --on-unknown=hold ',
      );
    },
  );

  longTest.skipIf(!HAS.terminal || !HAS.bash)(
    'completes in a bash that does not part words at = or :',
    async () => {
      const setUp = [`COMP_WORDBREAKS=$(printf %s "$COMP_WORDBREAKS" | tr -d =:)`, ...SOURCED.bash];
      const terminal = await openShell('bash', setUp);
      expect(await completed(terminal, 'docferry import a:b --on-unknown=h')).toBe(
        'docferry import a:b --on-unknown=hold ',
      );
    },
  );

  longTest.skipIf(!HAS.terminal || !HAS.bash)(
    'completes for a bash with other settings',
    async () => {
      const setUp = ['shopt -s nullglob failglob; set -u', ...SOURCED.bash];
      const terminal = await openShell('bash', setUp);
      expect(await completed(terminal, 'docferry impo')).toBe('docferry import ');
      expect(await completed(terminal, 'docferry import --on-unknown=h')).toBe(
        'docferry import --on-unknown=hold ',
      );
    },
  );

  it('says where docferry is called by another name that only lines with this one are completed', async () => {
    const ended = await promisify(execFile)(process.execPath, [MAIN, 'completion', 'bash']);
    expect(ended.stdout).toContain('complete -o');
    expect(ended.stderr).toContain('start with npx are not completed');
  });
});
