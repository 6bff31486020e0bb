import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './helpers/markdown.js';

/**
 * Which room may import which. The words that all share (files that lie in `src/` itself and are
 * listed in WORDS) may be imported by every room.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  boundaries: [],
  source: ['boundaries'],
  mapping: [],
  validation: [],
  coverage: ['mapping'],
  transform: ['boundaries', 'coverage', 'mapping', 'validation'],
  duplicates: [],
  batching: [],
  service: [],
  api: ['service'],
  guess: ['source', 'transform', 'mapping', 'validation'],
  delivery: ['api'],
  outputs: [],
  journal: ['outputs'],
  report: ['coverage', 'outputs'],
  sandbox: ['service'],
  // The corridor: it hands the stages what they need.
  run: [
    'boundaries',
    'coverage',
    'source',
    'mapping',
    'validation',
    'transform',
    'duplicates',
    'delivery',
    'journal',
    'outputs',
    'report',
  ],
  '.': [
    'api',
    'batching',
    'boundaries',
    'coverage',
    'delivery',
    'duplicates',
    'guess',
    'journal',
    'mapping',
    'outputs',
    'report',
    'run',
    'source',
    'transform',
    'validation',
  ],
  cli: [
    '.',
    'api',
    'service',
    'journal',
    'mapping',
    'outputs',
    'report',
    'run',
    'sandbox',
    'source',
  ],
};
const WORDS = [
  'record',
  'chunk',
  'document',
  'documents',
  'errors',
  'input-options',
  'known-names',
  'nearest-name',
  'on-demand',
  'option-names',
  'options',
  'published-window',
  'read-yaml',
  'record-ranges',
  'reject-columns',
  'small-file',
  'undecodable-marks',
];

const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts'),
);

describe('the house', () => {
  it('has a line in the table for every room', () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].toSorted()).toEqual(Object.keys(ARROWS).toSorted());
  });

  it('is told in ARCHITECTURE.md with every room, and with names that exist', () => {
    const page = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    for (const room of Object.keys(ARROWS))
      if (room !== '.') expect(page).toContain(`src/${room}/`);
    const named = page.matchAll(/[`(]((?:src|test|docs|schemas|bench)\/[\w./-]+)[`)]/g);
    for (const [, name = ''] of named) expect(existsSync(path.join(ROOT, name)), name).toBe(true);
  });

  it.each(files)('%s imports only what its room may', (file) => {
    const room = roomOf(file);
    const source = readFileSync(path.join(ROOT, 'src', file), 'utf8');
    for (const [, specifier = ''] of source.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const target = path.join(path.dirname(file), specifier).replace(/\.js$/, '');
      const targetRoom = roomOf(target);
      if (targetRoom === room || (targetRoom === '.' && WORDS.includes(target))) continue;
      expect(ARROWS[room], `${file} imports ${specifier}`).toContain(targetRoom);
    }
  });
});

function roomOf(file: string): string {
  return file.includes(path.sep) ? (file.split(path.sep)[0] ?? '.') : '.';
}
