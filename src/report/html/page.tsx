import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { raw } from 'hono/utils/html';
import { printable } from '../../model/text.js';
import type { Report } from '../report.js';
import { sealed } from '../written-earlier.js';
import { Columns } from './columns.js';
import { Delivery } from './delivery.js';
import { Documents } from './documents.js';
import { Drift } from './drift.js';
import { Foreign } from './parts.js';
import { Diagnosis, Problems } from './problems.js';
import { Inputs, Notices, Rejects, Run } from './run.js';
import { Verdict } from './verdict.js';

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const SCRIPT = readFileSync(new URL('page-script.js', import.meta.url), 'utf8');

/** Forbids loading, sending and framing anything, and scripts other than the page's own. */
const POLICY = [
  "default-src 'none'",
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/**
 * Renders a report as a self-contained HTML page. It contains no more of the records than the
 * report does, and stays small enough to be mailed.
 */
export function reportPage(report: Report): string {
  const { coverage } = report;
  const page = (
    <html lang="en">
      <Head report={report} />
      <body>
        <Top report={report} />
        <main>
          <Verdict report={report} />
          {hasCauses(report) ? <Diagnosis report={report} /> : null}
          <Problems problems={report.problems} />
          {coverage === null ? null : <Columns coverage={coverage} />}
          {coverage === null ? null : <Documents coverage={coverage} />}
          <Drift drift={report.drift} />
          <Delivery report={report} />
          <Inputs {...report} />
          <Notices notices={report.notices} />
          <Rejects rejects={report.rejects} />
          <Run report={report} />
        </main>
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  );
  return sealed(`<!doctype html>\n${page}\n`);
}

/** Not that of an earlier version, whose problems the next section has. */
function hasCauses({ causes }: Partial<Pick<Report, 'causes'>>): boolean {
  return causes !== undefined && causes.length > 0;
}

function Head({ report }: { readonly report: Report }): JSX.Element {
  const [name = 'no input', ...others] = report.inputs.map(({ name }) => name);
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{`${printable(name)}${more}: ${report.command} report`}</title>
      <link rel="icon" href="data:," />
      <style>{raw(STYLE)}</style>
    </head>
  );
}

function Top({ report }: { readonly report: Report }): JSX.Element {
  const sections = [
    ...(hasCauses(report) ? ['Diagnosis'] : []),
    'Problems',
    ...(report.coverage === null ? [] : ['Columns', 'Documents']),
    ...(report.drift == null ? [] : ['Drift']),
    ...(report.command === 'import' ? ['Delivery'] : []),
    'Inputs',
    ...(report.notices.length > 0 ? ['Notices'] : []),
    ...(report.rejects.length > 0 ? ['Rejects'] : []),
    'Run',
  ];
  return (
    <header>
      <p>
        <b>docferry</b> {report.command} with <Foreign text={report.mapping} />
      </p>
      <nav aria-label="Sections">
        {sections.map((title) => (
          <a href={`#${title.toLowerCase()}`}>{title}</a>
        ))}
      </nav>
    </header>
  );
}
