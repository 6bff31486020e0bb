import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The project's folder. */
export const ROOT: string = path.resolve(import.meta.dirname, '../..');

/** A fenced block of a page. */
export interface Snippet {
  /** Page and line, to name the test. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
}

/** All fenced blocks of README, CONTRIBUTING and `docs/`, in order. */
export function snippets(): readonly Snippet[] {
  const docs = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md')).toSorted();
  return ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`)].flatMap(
    snippetsOf,
  );
}

function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^\1```$/gms)].map((match) => {
    const [, indent = '', language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    const unindented = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return { at: `${page}:${line}`, language, code: unindented };
  });
}
