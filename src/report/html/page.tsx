import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { raw } from 'hono/utils/html';
import { printable } from '../printable.js';
import type { Report } from '../report.js';
import { Columns } from './columns.js';
import { Delivery } from './delivery.js';
import { Documents } from './documents.js';
import { Drift } from './drift.js';
import { Foreign } from './parts.js';
import { Problems } from './problems.js';
import { RunSections } from './run.js';
import { Verdict } from './verdict.js';

/** Limits tried in turn, until the page is small enough to be mailed. */
const STEPS = [
  { maxRows: 500, withJson: true },
  { maxRows: 500, withJson: false },
  { maxRows: 50, withJson: false },
] as const;
const MAX_BYTES = 2_000_000;

/**
 * Renders a report as a self-contained HTML page. It contains no more of the records than the
 * report does.
 */
export function reportPage(report: Report): string {
  let page = '';
  for (const step of STEPS) {
    page = pageOf(report, step);
    if (Buffer.byteLength(page) <= MAX_BYTES) break;
  }
  return page;
}

interface Extent {
  readonly maxRows: number;
  readonly withJson: boolean;
}

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

function pageOf(report: Report, { maxRows, withJson }: Extent): string {
  const { coverage } = report;
  const page = (
    <html lang="en">
      <Head report={report} />
      <body>
        <Top report={report} />
        <main>
          <Verdict report={report} />
          <Problems problems={report.problems} maxRows={maxRows} />
          {coverage === null ? null : <Columns coverage={coverage} maxRows={maxRows} />}
          {coverage === null ? null : <Documents coverage={coverage} maxRows={maxRows} />}
          <Drift drift={report.drift} maxRows={maxRows} />
          <Delivery report={report} maxRows={maxRows} />
          <RunSections report={report} maxRows={maxRows} />
          <Json report={report} isWhole={withJson} />
        </main>
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  );
  return `<!doctype html>\n${page}\n`;
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
  const links: readonly (readonly [string, string, boolean])[] = [
    ['problems', 'Problems', true],
    ['columns', 'Columns', report.coverage !== null],
    ['documents', 'Documents', report.coverage !== null],
    ['drift', 'Drift', report.drift != null],
    ['delivery', 'Delivery', report.command === 'import'],
    ['inputs', 'Inputs', true],
    ['notices', 'Notices', report.notices.length > 0],
    ['rejects', 'Rejects', report.rejects.length > 0],
    ['run', 'Run', true],
  ];
  return (
    <header>
      <p>
        <b>docferry</b> {report.command} with <Foreign text={report.mapping} />
      </p>
      <nav aria-label="Sections">
        {links
          .filter(([, , isThere]) => isThere)
          .map(([id, title]) => (
            <a href={`#${id}`}>{title}</a>
          ))}
      </nav>
    </header>
  );
}

/** Embeds the report as JSON, escaped so that no text can close the element. */
function Json(props: { readonly report: Report; isWhole: boolean }): JSX.Element {
  const { report, isWhole } = props;
  if (!isWhole) {
    return (
      <p class="cut">
        The report's JSON is too large for this page: <code>--json</code> and{' '}
        <code>--report FILE</code> give it.
      </p>
    );
  }
  const json = JSON.stringify(report).replaceAll('<', '\\u003c');
  return (
    <script type="application/json" id="report">
      {raw(json)}
    </script>
  );
}
