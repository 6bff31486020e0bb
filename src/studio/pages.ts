/** Serves the page and, for a frame in it, reports. Frames can't send the token, so a report's address is unguessable. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Report, reportHtml } from '../index.js';
import { type StudioApp, StudioError } from './requests.js';

/** The built page. The path is right from `src` and from `dist`, as both are equally deep. */
const FOLDER = new URL('../../dist/studio/web/', import.meta.url);

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/app.js': ['app.js', 'text/javascript; charset=utf-8'],
  '/app.css': ['app.css', 'text/css; charset=utf-8'],
};

/** Serves the page's files and nothing else. */
export function servePage(app: StudioApp): void {
  for (const [path, [name, type]] of Object.entries(FILES)) {
    app.get(path, async (c) =>
      c.body(new Uint8Array(await readPageFile(name)), 200, { 'content-type': type }),
    );
  }
  // Browsers request it on their own.
  app.get('/favicon.ico', (c) => c.body(null, 204));
}

async function readPageFile(name: string): Promise<Buffer> {
  return await readFile(new URL(name, FOLDER)).catch(() => {
    throw new StudioError(500, 'The page is not built. Run: npm run build');
  });
}

/** Content security policy of a report: its frame has an origin of its own and no network access. */
const REPORT_POLICY =
  "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const MAX_REPORTS = 4;

/** The latest {@link MAX_REPORTS} reports as HTML. */
export class ReportPages {
  readonly #pages = new Map<string, string>();

  /** Renders a report and returns the address of its page. */
  async add(report: Report): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    this.#pages.set(token, await reportHtml(report));
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_REPORTS && oldest !== undefined) this.#pages.delete(oldest);
    return `/report/${token}`;
  }

  serve(app: StudioApp): void {
    app.get('/report/:token', (c) => {
      const page = this.#pages.get(c.req.param('token'));
      if (page === undefined)
        throw new StudioError(404, 'This report is no longer available. Run the check again.');
      c.header('content-security-policy', REPORT_POLICY);
      c.header('x-frame-options', 'SAMEORIGIN');
      return c.html(page);
    });
  }
}
