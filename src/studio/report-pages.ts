/** Reports as pages, for a frame: each under an address that nobody can guess, as frames send no token. */
import { randomBytes } from 'node:crypto';
import { type Report, reportHtml } from '../index.js';
import type { StudioApp } from './app.js';
import { REPORT_POLICY } from './guard.js';
import { StudioRefusal } from './refusal.js';

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
