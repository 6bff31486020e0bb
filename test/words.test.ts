import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './helpers/markdown.js';

/** Old words, the standard term, and files in which the words have their ordinary meaning. */
type Term = readonly [not: RegExp, but: string, except?: RegExp];

/** Replaced everywhere: see `docs/decisions/words.md`. */
const TERMS: readonly Term[] = [
  [/\b(?:go|goes|going|gone|went) on with\b|(?<!whether )\bto go on\b|\bgoing on\b/gi, 'resume'],
  [/\bcan(?:'t| not)? go on\b|\b(?:runs?|import|process|it) (?:goes?|went) on\b/gi, 'resume'],
  [/\bunder way\b|underWay/gi, 'in flight (requests), running (runs)'],
  [/\bin[ -]doubt\b|\bdoubts?\b|Doubts?(?![a-z])/g, 'unconfirmed', /\bguess\b/],
  [/\bfates?\b|Fates?(?![a-z])/g, 'outcome; the outcome is unknown', /^src\/sandbox\//],
  [/\bread[ -]?back\b|readBack/gi, 'reconcile, reconciliation', /^docs\/client\.md$/],
  [/\blook\w* for\b|lookFor/g, 'reconcile', /^(?:CON|sch|src\/(?!cli|delivery|op|ou|runs))/],
  [/\bquiet[ -]?(?:times?\b|Ms\b)|QUIET_/gi, 'settle time'],
  [/\bpressed\b|isPressed|\bpressedAt|\bpressure\b/gi, 'throttled, overloaded'],
  [/\bkey by which\b|\bwithout a key\b|\brequest that comes twice\b/g, 'idempotency key'],
  [/\blonger and longer\b|\bdoubles, then\b/g, 'exponential backoff with jitter; slow start, AIMD'],
  [/unpack|\bpacked(?![a-z])|\bpacks\b|\bpacking\b/gi, 'compressed', /^src\/transform\//],
  [/\bshared ?texts\b/gi, 'shared strings'],
  [/\btable ?of ?contents\b/gi, 'central directory, footer'],
  [/\bmarkOf\b|\bisZip\(mark|ZIP_MARKS|\bmark of the format\b/g, 'magic number', /\/encoding\//],
  [/\bhal(?:f|ves) (?:a |of a |of )?(?:characters?|surrogates?)\b/gi, 'lone surrogate'],
  [/(?<![A-Za-z])[Mm]end(?:s|ed|ing)?(?![a-z])|[a-z]Mend(?:s|ed|ing)?(?![a-z])/g, 'fix, fixed'],
  [/\blets? go\b|\bletting go\b|letsGo/gi, 'releases'],
  [/\b(?:break|breaks|broke|broken|breaking) off\b|breaksOff/gi, 'ends early'],
  [/\bmade(?:-up)? world\b|\bmade-up\b|demoWorld/gi, 'synthetic data'],
  [/\bthe house\b|\bthe walls\b|\brooms? (?:imports?|of the house)\b/gi, 'module', /^mappings\//],
  [/\bcorridor/gi, 'pipeline'],
  [/\bbrakes?\b|brakeOn/gi, 'stop conditions'],
  [/\b(?:outcome)?teller\b/gi, 'outcome recorder'],
  [/\b(?:MOST|LEAST)(?:_\w+|\b)/g, 'MAX_…, MIN_…'],
];

/** Values that scripts and stored runs rely on, see `docs/decisions/words.md`. */
const CONTRACT = /\b(?:quietMs|lookForMs)\b|(['"`])(?:in-doubt|under way)\1/g;

/** Test files that a page refers to. Their names are those of modules. */
const TEST_FILES = /`test\/[^`]*`/g;

/** Title of a test or of a `describe`. */
const TITLE = /(?:\b(?:it|test|describe|longTest)\b[^'"`\n]*|[\])])\(\s*(['"`])(.*?)\1,/g;

const PLACES = [
  'README.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'docs',
  'schemas',
  'mappings',
  'src',
];

/** The page that lists the replaced words. */
const TABLE = 'docs/decisions/words.md';

const files = PLACES.flatMap(filesIn).filter((file) => file !== TABLE);

describe('code, schemas and docs', () => {
  it('use the standard terms of the field', () => {
    expect(files.flatMap(wordsOf)).toEqual([]);
  });

  it('use them in the titles of tests', () => {
    expect(filesIn('test').filter(isTest).flatMap(wordsInTitles)).toEqual([]);
  });
});

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') && file !== 'test/words.test.ts';
}

function filesIn(place: string): readonly string[] {
  if (/\.\w+$/.test(place)) return [place];
  const names = readdirSync(path.join(ROOT, place), { recursive: true, encoding: 'utf8' });
  const texts = names.filter((name) => /\.(?:md|json|ya?ml|ts|html|css|js|tsx)$/.test(name));
  return texts.toSorted().map((name) => path.posix.join(place, name));
}

/** Finds old words in a file, each with its line and the standard term. */
function wordsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return wordsIn(text.replaceAll(CONTRACT, '').replaceAll(TEST_FILES, ''), file);
}

function wordsInTitles(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(TITLE)].flatMap(([, , title = '']) => wordsIn(title, file));
}

function wordsIn(text: string, file: string): readonly string[] {
  const lines = text.split('\n');
  const terms = TERMS.filter(
    ([not, , except]) => except?.test(file) !== true && text.search(not) >= 0,
  );
  return lines.flatMap((line, index) =>
    terms.flatMap(([not, but]) =>
      [...line.matchAll(not)].map(
        ([word]) => `${file}:${index + 1}: "${word}" is ${but}: ${line.trim()}`,
      ),
    ),
  );
}
