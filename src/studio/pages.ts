/** The page itself, and reports for a frame in it: each under an address that nobody can guess, as frames send no token. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Report, reportHtml } from '../index.js';
import type { StudioApp } from './app.js';
import { StudioRefusal } from './requests.js';

/** Where the build puts them; sources and build output lie equally deep. */
const FOLDER = new URL('../../dist/studio/web/', import.meta.url);

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/app.css': ['app.css', 'text/css; charset=utf-8'],
};

/** Serves these files, and no others. */
export function pageFiles(app: StudioApp): void {
  for (const [path, [name, type]] of Object.entries(FILES)) {
    app.get(path, async (c) =>
      c.body(new Uint8Array(await read(name)), 200, { 'content-type': type }),
    );
  }
  // Browsers ask for it unasked.
  app.get('/favicon.ico', (c) => c.body(null, 204));
}

async function read(name: string): Promise<Buffer> {
  try {
    return await readFile(new URL(name, FOLDER));
  } catch {
    throw new StudioRefusal(500, 'The page is not built: run npm run build.');
  }
}

/**
 * The policy of a report in a frame of the page: an origin of its own, from which nothing can be
 * reached. What it may show, it says itself.
 */
const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const MAX_KEPT = 4;

/** The latest reports. */
export class ReportPages {
  readonly #pages = new Map<string, string>();

  /** Gives the address of a report's page. */
  async add(report: Report): Promise<string> {
    const ticket = randomBytes(32).toString('base64url');
    this.#pages.set(ticket, await reportHtml(report));
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_KEPT && oldest !== undefined) this.#pages.delete(oldest);
    return `/report/${ticket}`;
  }

  serve(app: StudioApp): void {
    app.get('/report/:ticket', (c) => {
      const page = this.#pages.get(c.req.param('ticket'));
      if (page === undefined)
        throw new StudioRefusal(404, 'This report is no longer kept: check again.');
      c.header('content-security-policy', REPORT_POLICY);
      c.header('x-frame-options', 'SAMEORIGIN');
      return c.html(page);
    });
  }
}
