/** Writes a draft as YAML, with the evidence for each rule as a comment above it. */
import { basename } from 'node:path';
import type { InputOptions } from '../formats/options.js';
import { TEXT_FIELDS } from '../mapping/mapping.js';
import { flowYaml, yamlScalar } from '../mapping/mapping-text.js';
import { thousands } from '../model/figures.js';
import { capital } from '../model/text.js';
import type { Draft } from './draft-mapping.js';
import { shortened } from './profile-column.js';
import type { DraftField } from './rules/draft.js';

/** Order of the document's fields in the file. */
const FIELD_ORDER = [...TEXT_FIELDS, 'detectedLocations', 'metrics', 'tags', 'author'];
const AUTHOR_ORDER = ['sourceId', 'username', 'annotations'];
/** Maximum width of comments, in characters. */
const MAX_WIDTH = 110;

/** Writes the mapping file. The output is deterministic. */
export function writeMapping(draft: Draft): string {
  const { fields, skip, profile } = draft;
  return [
    ...comment('', headline(draft)),
    ...(draft.missing.length === 0
      ? []
      : comment('', `Not found in the file: ${draft.missing.join(', ')}.`)),
    ...draft.sample.remarks.flatMap((remark) => comment('', remark)),
    ...notUsedLines(draft.leftOut).flatMap((line) => comment('', line)),
    ...draft.questions.flatMap(({ todo }) => comment('', `TODO: ${todo}.`)),
    `name: ${yamlScalar(`Guessed from ${basename(draft.sample.source)}`)}`,
    ...(profile === 'minimal' ? ['profile: minimal'] : []),
    ...(draft.overlaps ? ['duplicates: same-review'] : []),
    ...inputLines(draft.input),
    '',
    'document:',
    ...FIELD_ORDER.flatMap((key) =>
      fieldLines(
        key,
        fields.filter(({ path }) => path[0] === key),
      ),
    ),
    ...(skip.length === 0 ? [] : ['', 'skip:']),
    ...skip.flatMap(({ condition, evidence }) => [
      ...comment('  ', `${capital(evidence)}.`),
      `  - ${flowYaml(condition)}`,
    ]),
    '',
  ].join('\n');
}

/** Names the columns that no rule uses; no line if there are none. */
export function notUsedLines(columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return [];
  return [`Not used: ${columns.map((name) => JSON.stringify(shortened(name))).join(', ')}.`];
}

function headline({ sample }: Draft): string {
  const { records, seen, whole, unreadable } = sample;
  const count = thousands(records.length);
  const how = whole
    ? `${unreadable > 0 ? '' : 'all '}${count} ${records.length === 1 ? 'record' : 'records'}`
    : `${count} of ${thousands(seen)} records, from its start to its end`;
  const lost = unreadable === 0 ? '' : `; ${thousands(unreadable)} more could not be read`;
  return `Guessed by docferry from ${basename(sample.source)}: ${how}${lost}. The comment above each rule gives the confidence and the evidence. Open questions are marked TODO, and docferry mapping check lists them. Preview some records before you import.`;
}

function inputLines(input: InputOptions): readonly string[] {
  return Object.keys(input).length === 0 ? [] : [`input: ${flowYaml(input)}`];
}

function fieldLines(key: string, fields: readonly DraftField[]): readonly string[] {
  const [first] = fields;
  if (first === undefined) return [];
  if (first.path.length === 1)
    return [...fieldComment('  ', first), `  ${key}: ${flowYaml(first.rule)}`];
  if (key === 'tags') {
    return [
      `  ${key}:`,
      ...fields.flatMap((field) => [
        ...fieldComment('    ', field),
        `    - ${flowYaml(field.rule)}`,
      ]),
    ];
  }
  return [`  ${key}:`, ...nested(fields, 1, '    ')];
}

/** Writes the fields of a nested object. */
function nested(fields: readonly DraftField[], depth: number, indent: string): readonly string[] {
  const keys = [...new Set(fields.map(({ path }) => path[depth] ?? ''))];
  const ranked = keys.toSorted((a, b) => AUTHOR_ORDER.indexOf(a) - AUTHOR_ORDER.indexOf(b));
  return ranked.flatMap((key) => {
    const inside = fields.filter(({ path }) => path[depth] === key);
    const [field] = inside;
    if (field === undefined) return [];
    if (field.path.length > depth + 1) {
      return [`${indent}${yamlScalar(key)}:`, ...nested(inside, depth + 1, `${indent}  `)];
    }
    return [...fieldComment(indent, field), `${indent}${yamlScalar(key)}: ${flowYaml(field.rule)}`];
  });
}

function fieldComment(
  indent: string,
  { confidence, evidence, questions = [] }: DraftField,
): readonly string[] {
  return [
    ...comment(indent, `${confidence}: ${evidence}.`),
    ...questions.flatMap(({ todo }) => comment(indent, `TODO: ${todo}.`)),
  ];
}

/** Writes a text as a comment: wraps its first line; others, of a checklist, are written below it. */
function comment(indent: string, text: string): readonly string[] {
  const [first = '', ...listed] = text.split(/\n(?=\[[x ]\] )/u);
  return [...wrapped(indent, first), ...listed.map((line) => `${indent}#   ${line}`)];
}

function wrapped(indent: string, text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  // Between several blanks, as in the name of a column, no line is broken.
  for (const word of text.replace(/[^\S ]+/gu, ' ').split(/(?<! ) (?! )/u)) {
    if (line !== '' && indent.length + 3 + line.length + word.length > MAX_WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${indent}# ${one}`);
}

/** Starts of the comments that a guess writes above a rule. */
const EVIDENCE = /^\s*# (?:high|medium|low): /u;
const OPEN = /^\s*# TODO\b/u;
const CHECKED = /^\s*# Checked: /u;
/** An edit that a guess offers as an answer. */
const OFFER = /(?:put|delete) `|guess again with /u;

/** Lines of a comment above a rule that belong together. */
export interface CommentPart {
  readonly lines: readonly string[];
  /** Without line breaks. */
  readonly text: string;
  /** Written by a guess: its evidence, or a question, open or answered; or anything of the user's. */
  readonly kind: 'evidence' | 'open' | 'checked' | 'own';
}

/** Takes apart the comment lines above a rule. */
export function commentParts(lines: readonly string[]): readonly CommentPart[] {
  const parts: string[][] = [];
  for (const line of lines) {
    const [part, isFirst] = [parts.at(-1), [EVIDENCE, OPEN, CHECKED].some((one) => one.test(line))];
    if (part !== undefined && !isFirst && isWrapped(line, part.at(-1) ?? '')) part.push(line);
    else parts.push([line]);
  }
  let isGuessed = false;
  return parts.map((part) => {
    const [first = ''] = part;
    const text = part.map((line) => line.trim().slice(2)).join(' ');
    const isQuestion = OPEN.test(first) || CHECKED.test(first);
    isGuessed = EVIDENCE.test(first) || (isQuestion && (isGuessed || OFFER.test(text)));
    const guessed = isQuestion ? (OPEN.test(first) ? 'open' : 'checked') : 'evidence';
    return { lines: part, text, kind: isGuessed ? guessed : 'own' };
  });
}

/** A line of a checklist. */
const LISTED = /^\s*# {3}\[[x ]\] /u;

/** Returns whether a line belongs to the comment above: of a checklist, or broken because that was full. */
function isWrapped(line: string, above: string): boolean {
  if (LISTED.test(line)) return true;
  const [word = ''] = line
    .trim()
    .slice(2)
    .split(/(?<! ) (?! )/u);
  return above.trimEnd().length + 1 + word.length > MAX_WIDTH;
}
