import { count, thousands } from '../model/figures.js';
import { OUTCOMES } from '../model/record.js';
import { printable } from '../model/text.js';
import { causeTexts } from './causes-text.js';
import { nextCommand, resumeWords } from './next-command.js';
import { programName } from './program-name.js';
import { exitText, meaningOf, nameOfOutcome, type Report, toneOf } from './report.js';
import { headline, rejectsLines, remarkLines, runLines } from './report-text.js';

/**
 * Formats a report as Markdown for a CI job's summary page, at most some 100 kB: what happened,
 * outcomes, problems with examples, and what to do next. Text from records or the service is
 * escaped.
 */
export function reportSummary(report: Report): string {
  const [first = '', ...others] = headline(report);
  const sections = [
    `## ${SIGNS[toneOf(report)]} ${markdownText(first)}`,
    ...others.map(markdownText),
    `**Exit code ${report.exitCode}**: ${exitText(report)}`,
    countTable(report),
    ...remarkLines(report).map(markdownText),
    ...causeSections(report),
    ...listSection('Notes', report.notices),
    ...listSection('Run', [...rejectsLines(report), ...runLines(report)]),
    nextSection(report),
  ];
  return `${sections.join('\n\n')}\n`;
}

const SIGNS = { good: '✅', mixed: '⚠️', bad: '❌' } as const;

function countTable({ command, counts }: Report): string {
  const rows = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) =>
      `| ${nameOfOutcome(outcome, command)} | ${thousands(counts[outcome])} | ${meaningOf(outcome, command)} |`,
  );
  return [
    '| | records | |',
    '|---|--:|---|',
    ...rows,
    `| **read** | **${thousands(counts.read)}** | |`,
  ].join('\n');
}

function causeSections(report: Report): readonly string[] {
  const { shown, more } = causeTexts(report);
  if (shown.length === 0) return [];
  const sections = shown.map(({ title, evidence, remedy }) => {
    const facts = remedy === undefined ? [evidence] : [evidence, remedy];
    return `**${markdownText(title)}**\n\n${markdownList(facts, 0)}`;
  });
  return ['### Problems', ...sections, ...(more > 0 ? [count(more, 'other cause')] : [])];
}

/** Largest number of lines in a list; further ones are counted. */
const MAX_LINES = 25;

function listSection(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  return [`### ${title}`, markdownList(lines.slice(0, MAX_LINES), lines.length - MAX_LINES)];
}

/** @param more number of lines left out, if positive */
function markdownList(lines: readonly string[], more: number): string {
  const all = more > 0 ? [...lines, `and ${thousands(more)} more`] : lines;
  return all.map((line) => `- ${markdownText(line)}`).join('\n');
}

/** Suggests the next command, and how to resume the run if that is a different command. */
function nextSection(report: Report): string {
  const next = nextCommand(report);
  const resume = [programName(), ...resumeWords(report)].join(' ');
  const isOther = report.resumable && next.command !== resume;
  const then = isOther ? [{ why: 'Then, to resume the run:', command: resume }] : [];
  const steps = [next, ...then].map(({ why, command }) => {
    return `${markdownText(why)}\n\n\`\`\`sh\n${printable(command)}\n\`\`\``;
  });
  return ['### Next', ...steps].join('\n\n');
}

/** Longer than any of docferry's own sentences. */
const MAX_LENGTH = 500;

/**
 * Characters with a meaning in Markdown or HTML, and those that make an address a link. Others only
 * matter at the start of a line.
 */
const MARKUP = /[\\`*_{}[\]<>&|~$#!@^]|:(?=\/\/)|(?<=\bwww)\./gi;
const BLOCK_MARKUP = /^[-+=:]|(?<=^\d+)[.)]/;

/** Formats foreign text as one line of Markdown that is also safe in HTML. */
function markdownText(line: string): string {
  const whole = [...printable(line.replace(/\s+/gu, ' ').trim())];
  const cut = whole.length > MAX_LENGTH ? [...whole.slice(0, MAX_LENGTH), '…'] : whole;
  return cut.join('').replace(MARKUP, entity).replace(BLOCK_MARKUP, entity);
}

/** Character references never act as markup. */
function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
