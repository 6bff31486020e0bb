import { count, thousands } from '../model/figures.js';
import { OUTCOMES } from '../model/record.js';
import type { ProblemGroup } from '../outcomes/tally.js';
import { nextCommand } from './next-command.js';
import { printable, shellWord } from './printable.js';
import { type ExitCode, exitText, type Report } from './report.js';
import {
  fieldsText,
  headline,
  meaningOf,
  placeText,
  rejectsLines,
  runLines,
} from './report-text.js';

/**
 * A report as Markdown for the summary page of a CI job: the verdict, what became of the records, the
 * problems with their first examples, and what to do next. Whatever comes from records or from the
 * service is escaped, so that it stands there as text. At most some 100 kB.
 */
export function reportSummary(report: Report): string {
  const [first = '', ...others] = headline(report);
  const sections = [
    `## ${VERDICTS[report.exitCode]} ${text(first)}`,
    ...others.map(text),
    `**Exit code ${report.exitCode}**: ${exitText(report)}`,
    countTable(report),
    ...problemSections(report.problems),
    ...listSection('Notes', report.notices),
    ...listSection('Run', [...rejectsLines(report), ...runLines(report)]),
    nextSection(report),
  ];
  return `${sections.join('\n\n')}\n`;
}

const VERDICTS: Readonly<Record<ExitCode, string>> = {
  0: '✅',
  1: '⚠️',
  3: '❌',
  4: '❌',
  5: '⚠️',
  130: '❌',
};

function countTable({ command, counts }: Report): string {
  const rows = OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `| ${outcome} | ${thousands(counts[outcome])} | ${meaningOf(outcome, command)} |`,
  );
  return [
    '| | records | |',
    '|---|--:|---|',
    ...rows,
    `| **read** | **${thousands(counts.read)}** | |`,
  ].join('\n');
}

function problemSections(groups: readonly ProblemGroup[]): readonly string[] {
  if (groups.length === 0) return [];
  return ['### Problems', ...groups.map((group, index) => problemSection(group, index === 0))];
}

/** The most frequent kind is open. HTML stands around it, and Markdown in it: with blank lines. */
function problemSection(group: ProblemGroup, isOpen: boolean): string {
  const { kind, count: problems, fields, examples } = group;
  const more = problems - examples.length;
  const figures = text(`${count(problems, 'problem')}${fieldsText(fields)}`);
  const title = `<code>${text(kind)}</code>: ${figures}`;
  return [
    `<details${isOpen ? ' open' : ''}><summary>${title}</summary>`,
    list([
      ...examples.map((example) => `${placeText(example)}: ${example.message}`),
      ...(more > 0 ? [`and ${thousands(more)} more`] : []),
    ]),
    '</details>',
  ].join('\n\n');
}

/** Lines of a list; of more, it says how many. */
const MAX_LINES = 25;

function listSection(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - MAX_LINES;
  const shown = [
    ...lines.slice(0, MAX_LINES),
    ...(more > 0 ? [`and ${thousands(more)} more`] : []),
  ];
  return [`### ${title}`, list(shown)];
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${text(line)}`).join('\n');
}

/** What is likely to be next, and how to resume the run if that is something else. */
function nextSection(report: Report): string {
  const next = nextCommand(report);
  const resume = `docferry runs resume ${shellWord(report.run)}`;
  const isOther = report.resumable && next.command !== resume;
  const then = isOther ? [{ why: 'Then, to resume the run:', command: resume }] : [];
  const steps = [next, ...then].map(({ why, command }) => {
    return `${text(why)}\n\n\`\`\`sh\n${printable(command)}\n\`\`\``;
  });
  return ['### Next', ...steps].join('\n\n');
}

/** Longer than any sentence of docferry's own. */
const MAX_LENGTH = 500;

/**
 * What means something in Markdown or HTML anywhere in a line, and what makes an address a link. Of
 * what can begin a block, the rest is looked at only where a line begins.
 */
const ACTIVE = /[\\`*_{}[\]<>&|~$#!@^]|:(?=\/\/)|(?<=\bwww)\./gi;
const BEGINNING = /^[-+=:]|(?<=^\d+)[.)]/;

/** A text from outside as one line of Markdown, which is as good within HTML. */
function text(line: string): string {
  const whole = [...printable(line.replace(/\s+/gu, ' ').trim())];
  const cut = whole.length > MAX_LENGTH ? [...whole.slice(0, MAX_LENGTH), '…'] : whole;
  return cut.join('').replace(ACTIVE, entity).replace(BEGINNING, entity);
}

/** A reference to a character is that character, and never structure. */
function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
