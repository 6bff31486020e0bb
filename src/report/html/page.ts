import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { printable } from '../../model/text.js';
import type { Report } from '../report.js';
import { columnsSection } from './columns.js';
import { deliverySection } from './delivery.js';
import { documentsSection } from './documents.js';
import { driftSection } from './drift.js';
import { foreign, type Html, inputsText } from './parts.js';
import { isRepeat, problemsSection, repeatsSection } from './problems.js';
import {
  inputsSection,
  noticesSection,
  questionsSection,
  rejectsSection,
  runSection,
  skippedSection,
} from './run.js';
import { verdict } from './verdict.js';
import { withoutQuotes } from './without-quotes.js';

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');

/** Forbids scripts, and loading, sending and framing anything. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Renders a report as a self-contained HTML page. It contains no more of the records than the
 * report does, and stays small enough to be mailed.
 * @param quotes whether it may quote values of single records
 */
export function reportPage(given: Report, quotes: boolean): string {
  const report = quotes ? given : withoutQuotes(given);
  const sections = sectionsOf(report);
  const inputs = inputsText(report.inputs.map(({ name }) => name));
  const page = html`<!doctype html>
<html lang="en">
${head(report, inputs)}
<body>
<header>
<p><b>docferry ${report.command}</b> of ${foreign(inputs)}, mapping “${foreign(report.mapping)}”</p>
<nav aria-label="Sections">${sections.map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>
</header>
<main class="${report.command}">
${verdict(report, quotes)}
${sections.map(([, , section]) => section)}
</main>
</body>
</html>
`;
  return String(page);
}

type PageSection = readonly [id: string, title: string, section: Html];

/** Sections in the order of what a reader asks. Empty ones are left out. */
function sectionsOf(report: Report): readonly PageSection[] {
  const { coverage, notices, rejects, skips = [], openQuestions = [] } = report;
  const problems = report.causes.length > 0 ? 'What to do' : 'Problems';
  const isSent = report.batches + report.unknown.length > 0;
  const all: (PageSection | false | 0 | null | undefined)[] = [
    openQuestions.length > 0 && ['questions', 'Open questions', questionsSection(openQuestions)],
    ['problems', problems, problemsSection(report)],
    report.problems.some(isRepeat) && ['repeats', 'Repeats', repeatsSection(report)],
    skips.length > 0 && ['skipped', 'Skipped', skippedSection(skips)],
    report.drift && ['drift', 'Drift', driftSection(report.drift, report.inputs.length > 1)],
    coverage?.documents && ['documents', 'Reviews', documentsSection(coverage)],
    coverage && ['columns', 'Columns', columnsSection(coverage)],
    isSent && ['delivery', 'Delivery', deliverySection(report)],
    ['inputs', 'Inputs', inputsSection(report)],
    notices.length > 0 && ['notices', 'Notices', noticesSection(notices)],
    rejects.length > 0 && ['rejects', 'Rejects', rejectsSection(rejects)],
    ['run', 'Run', runSection(report)],
  ];
  return all.filter((one): one is PageSection => Array.isArray(one));
}

function head({ command }: Report, inputs: string): Html {
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${printable(inputs)}: ${command} report</title>
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>`;
}
