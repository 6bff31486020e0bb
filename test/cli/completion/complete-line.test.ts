import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../../src/cli/commands.js';
import { completeLine } from '../../../src/cli/completion/complete-line.js';
import { flagsOf } from '../../../src/cli/completion/flags.js';
import { findCommand } from '../../../src/cli/find-command.js';
import { readyMappings } from '../../../src/operations/ready-mappings.js';
import { newFolder } from '../../helpers/files.js';
import { docferry } from '../../helpers/run-cli.js';
import { eachSample } from '../../helpers/runs.js';

/** The words that name each command, groups among them. */
const ALL = COMMANDS.flatMap(({ name, commands = [] }) => [
  [name],
  ...commands.map((command) => [name, command]),
]);
const GROUPS = COMMANDS.filter(({ commands }) => commands !== undefined);
const [OLD, NEW] = ['20260101-080000-ffffff', '20260102-080000-aaaaaa'];

/** What is offered at the end of a line, without descriptions; `files` and `folders` are the shell's. */
async function offered(line: string): Promise<readonly string[] | 'files' | 'folders'> {
  const { kind, words } = await completeLine(`docferry ${line}`);
  return kind === 'words' ? words.map(({ word }) => word) : kind;
}

/** A state folder with runs, of which nothing can be read but their names. */
function stateWith(...ids: readonly string[]): string {
  const folder = newFolder();
  for (const id of ids) addRun(folder, id);
  return folder;
}

function addRun(stateDir: string, id: string): void {
  mkdirSync(path.join(stateDir, 'runs', id), { recursive: true });
  writeFileSync(path.join(stateDir, 'runs', id, 'journal.db'), 'no database');
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('commands', () => {
  it('are all offered, with what they are for', async () => {
    const { words } = await completeLine('docferry ');
    const all = COMMANDS.map(({ name, describe }) => ({ word: name, describe }));
    expect(words).toEqual([...all, { word: 'help', describe: 'Describe a command' }]);
  });

  it('are those that start with what is typed', async () => {
    expect(await offered('r')).toEqual(['runs', 'report']);
  });

  it.each(GROUPS)('of $name are all offered', async ({ name, commands }) => {
    expect(await offered(`${name} `)).toEqual(commands);
  });

  it('are offered behind help, and nothing more', async () => {
    expect(await offered('help ')).toEqual(COMMANDS.map(({ name }) => name));
    expect(await offered('help runs sh')).toEqual(['show']);
    expect(await offered('help import ')).toEqual([]);
  });

  it('that do not exist have nothing to offer', async () => {
    await expect(offered('improt --')).rejects.toThrow('There is no command "improt"');
  });
});

describe('flags', () => {
  eachSample(4)([[], ...ALL].map((command) => command.join(' ')))(
    'of docferry %s are all those of its help',
    async (command) => {
      const words = command === '' ? [] : command.split(' ');
      const help = await docferry([...words, '--help'], { cwd: newFolder() });
      const lines = help.stdout.matchAll(/^ +(?:-\w, )?--[\w-]+(?:, --[\w-]+)*/gm);
      const told = [...lines].flatMap(([names]) => names.trim().split(', '));
      const flags = (await offered([...words, '-'].join(' '))) as readonly string[];
      expect(told).toContain('--help');
      expect(flags.filter((flag) => !flag.startsWith('--no-'))).toEqual(told.toSorted());
    },
  );

  it('are offered with what they are for', async () => {
    const { words } = await completeLine('docferry validate x --map');
    expect(words).toEqual([{ word: '--mapping', describe: 'Mapping file (YAML or JSON)' }]);
  });

  it('are offered negated where that means something', async () => {
    const negated = ['--no-header', '--no-ledger', '--no-skip-known', '--no-work'];
    expect(await offered('import --no-')).toEqual(negated);
  });

  it('are not offered again, by whatever name they are there', async () => {
    expect(await offered('preview x -m y --map')).toEqual([]);
    expect(await offered('preview x --limit=3 --lim')).toEqual([]);
    expect(await offered('import x --no-work --w')).toEqual([]);
    expect(await offered('import x -qm y --qui')).toEqual([]);
  });

  it('are offered again if they may be given several times', async () => {
    const line = 'monitorings create --search YTB:x --sear';
    expect(await offered(line)).toEqual(['--search', '--searches']);
  });

  it('that are hidden are not offered, and take their value nevertheless', async () => {
    expect(await offered('import --quiet-t')).toEqual([]);
    expect(await offered('runs resolve --quiet-time 5 RUN --js')).toEqual(['--json']);
    expect(await offered('mapping show --quiet-time')).toEqual([]);
  });

  it('are offered where no other word can follow', async () => {
    const flags = ['--help', '--version', '-h', '-v'];
    expect(await offered('mapping show booking-extranet ')).toEqual(flags);
  });

  it('are none behind --', async () => {
    expect(await offered('import -- --m')).toBe('files');
    expect(await offered('runs show -- RUN --j')).toEqual([]);
  });
});

describe('the value of a flag', () => {
  it('is one of its choices', async () => {
    expect(await offered('import --on-unknown ')).toEqual(['resolve', 'hold', 'resend']);
    expect(await offered('import --on-unknown=')).toEqual(['resolve', 'hold', 'resend']);
    expect(await offered('import --on-unknown=res')).toEqual(['resolve', 'resend']);
    expect(await offered("import --on-unknown 're")).toEqual(['resolve', 'resend']);
  });

  it('comes once', async () => {
    expect(await offered('import --on-unknown=hold ')).toBe('files');
    expect(await offered('import --on-unknown hold ')).toBe('files');
    expect(await offered('mapping show --help ho')).toEqual(['hotel-reviews']);
  });

  it('comes behind the last of several short flags', async () => {
    expect(await offered('runs resume x -q ')).not.toBe('files');
    expect(await offered('preview x -qm ')).toBe('files');
  });

  it.each(['--monitoring ', '--monitoring=', '--no-such-flag=', '--json='])(
    'is not guessed: %s',
    async (flag) => {
      expect(await offered(`import x ${flag}`)).toEqual([]);
    },
  );

  it('is, for each flag of text, what was decided for it', async () => {
    expect(await flagsByValue(stateWith(NEW))).toEqual(DECIDED);
  });
});

/** All flags of text by what is offered for them. A new one goes where it belongs, here and in values.ts. */
const DECIDED = {
  files: [
    ...['api-key-file', 'ca', 'config', 'cursor-file', 'events', 'faults', 'html', 'mapping'],
    ...['metrics', 'out', 'rejects', 'report', 'schema', 'searches', 'summary'],
  ],
  folders: ['data', 'state-dir'],
  [NEW]: ['resume'],
  '': [
    ...['as-of', 'authorAbout', 'authorName', 'authorTags', 'authors', 'base-url', 'comment'],
    ...['concurrency', 'contributors', 'cursor', 'delimiter', 'encoding', 'end', 'error-status'],
    ...['escape', 'ignoreTags', 'languages', 'max-errors', 'monitorings', 'parameter'],
    ...['pressure-status', 'query', 'quote', 'records', 'root', 'search', 'sentiments', 'sheet'],
    ...['since', 'sources', 'start', 'state', 'tagExpression', 'tags', 'title', 'until-done'],
    ...['username', 'viewSource'],
  ],
};

async function flagsByValue(stateDir: string): Promise<Record<string, readonly string[]>> {
  const found: Record<string, readonly string[]> = {};
  for (const command of ALL) {
    for (const name of await textFlagsOf(command)) {
      const key = String(await offered(`${command.join(' ')} --state-dir ${stateDir} --${name}=`));
      found[key] = [...new Set([...(found[key] ?? []), name])].toSorted();
    }
  }
  return found;
}

async function textFlagsOf(command: readonly string[]): Promise<readonly string[]> {
  const named = await findCommand(command);
  return flagsOf(named.command)
    .filter(({ type, choices, isPositional }) => {
      return type === 'string' && choices.length === 0 && !isPositional;
    })
    .map(({ names }) => names.find((name) => name.length > 1) ?? '');
}

describe('a word that is no flag', () => {
  it.each([
    ...['import ', 'import one.csv ', 'import https://example.com/x.csv -m y ', 'import - '],
    ...['guess ', 'studio ', 'report ', 'mapping check one.yaml ', 'mapping learn '],
  ])('is a file: %s', async (line) => {
    expect(await offered(line)).toBe('files');
  });

  it.each(['monitorings show ', 'monitorings rename 1 ', 'context '])(
    'is not known if it is the service that knows it: %s',
    async (line) => {
      expect(await offered(line)).toEqual([]);
    },
  );

  it('comes as often as its command takes it', async () => {
    expect(await offered('guess one.csv --ou')).toEqual(['--out']);
    expect(await offered('guess one.csv ')).toContain('--out');
    expect(await offered('monitorings remove-searches 1 2 3 ')).toEqual([]);
  });

  it('is the name of a ready mapping, with the export that it is for', async () => {
    const { words } = await completeLine('docferry mapping show ');
    expect(words).toEqual(
      readyMappings().map(({ name, export: describe }) => ({ word: name, describe })),
    );
  });

  it('is one of few', async () => {
    expect(await offered('completion ')).toEqual(['bash', 'zsh']);
  });
});

describe('runs', () => {
  it.each(['runs show', 'runs resume', 'runs retry', 'runs resolve', 'verify'])(
    'of the state folder are offered behind docferry %s, the latest first',
    async (command) => {
      const stateDir = stateWith(OLD, NEW);
      expect(await offered(`${command} --state-dir ${stateDir} `)).toEqual([NEW, OLD]);
      expect(await offered(`${command} --state-dir ${stateDir} ${NEW} `)).toContain('--json');
    },
  );

  it('are offered behind import --resume', async () => {
    const stateDir = stateWith(OLD, NEW);
    expect(await offered(`import x --state-dir ${stateDir} --resume `)).toEqual([NEW, OLD]);
    expect(await offered(`import x --state-dir ${stateDir} --resume=20260101`)).toEqual([OLD]);
  });

  it('are those of the folder that is named, however that is written', async () => {
    const home = newFolder();
    vi.stubEnv('HOME', home);
    addRun(path.join(home, 'my state'), OLD);
    for (const written of ['~/"my state"', '"$HOME/my state"', `${home}/my\\ state`]) {
      expect(await offered(`runs show --state-dir ${written} `)).toEqual([OLD]);
      expect(await offered(`runs --state-dir ${written} show `)).toEqual([OLD]);
    }
    expect(await offered(`runs show --state-dir="$HOME/my state" `)).toEqual([OLD]);
  });

  it('of a state that processes share are not asked for', async () => {
    const stateDir = stateWith(OLD);
    const state = 'postgres://nobody@192.0.2.1/never';
    expect(await offered(`runs show --state-dir ${stateDir} --state ${state} `)).toEqual([]);
    vi.stubEnv('DOCFERRY_STATE', state);
    expect(await offered(`runs show --state-dir ${stateDir} `)).toEqual([]);
  });

  it('of a folder are not offered where only those of such a state can be named', async () => {
    expect(await offered(`runs cancel --state-dir ${stateWith(OLD)} `)).toEqual([]);
  });

  it('are not offered where there are none', async () => {
    expect(await offered(`runs show --state-dir ${newFolder()}/none `)).toEqual([]);
  });

  it('whose names a shell or a terminal would act on are not offered', async () => {
    const stateDir = stateWith('$(reboot)', 'a b', '-x', 'a\tb', 'a\u001b[2J', NEW);
    expect(await offered(`runs show --state-dir ${stateDir} `)).toEqual([NEW]);
  });
});
