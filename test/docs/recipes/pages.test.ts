import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, snippets } from '../../helpers/markdown.js';
import { recipe } from './recipe-folder.js';

const names = readdirSync(path.join(ROOT, 'docs/recipes'));
const files = names.filter((name) => !name.endsWith('.md'));
const index = recipe('README.md');
const checked = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');

/** Which file a page shows in blocks of a language. */
const SHOWN = {
  yaml: 'docferry.yaml',
  crontab: 'docferry.crontab',
  dockerfile: 'Dockerfile',
  bash: 'airflow_bash.py',
} as const;

/** A text without comments and blank lines, which the pages leave out. */
function essence(text: string): string {
  return text.replaceAll(/^#.*\n/gm, '').replaceAll(/\n+/g, '\n');
}

describe('the pages of docs/recipes', () => {
  it.each(files)('link to %s, and the README here says what checked it', (name) => {
    expect(index).toContain(`](${name})`);
    const shortened = name.replace('docferry-import.timer', '.timer');
    expect(checked).toMatch(new RegExp(`^\\|[^|]*\`${shortened.replaceAll('.', '\\.')}\``, 'm'));
  });

  it('show what the files say', () => {
    const shown = snippets().filter(
      ({ at, language }) => at.startsWith('docs/recipes/') && Object.hasOwn(SHOWN, language),
    );
    expect(shown.map(({ language }) => language).toSorted()).toEqual(Object.keys(SHOWN).toSorted());
    for (const { language, code } of shown) {
      const text = recipe(SHOWN[language as keyof typeof SHOWN]);
      expect(essence(text)).toContain(essence(code));
    }
  });

  it.each(names)('%s names the package by its version', (name) => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    for (const [, named] of recipe(name).matchAll(
      /docferry[-:](\d+\.[\w.-]+?)(?=\.tgz|[\s",`]|$)/g,
    )) {
      expect(named).toBe(version);
    }
  });

  it.each(files)('%s takes the key from a file, and resumes', (name) => {
    const text = recipe(name);
    // Batch gives secrets as variables only.
    const others = ['Dockerfile', 'docferry-import.timer', 'shards-aws-batch.yaml'];
    if (!others.includes(name)) expect(text).toMatch(/API_KEY_FILE|--api-key-file/);
    // The folder's script resumes for those that call it; a shard that is started again continues.
    if (!/timer$/.test(name)) expect(text).toMatch(/--resume|import-exports|--shard/);
  });
});
