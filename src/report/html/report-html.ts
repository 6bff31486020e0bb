import type { Report } from '../report.js';

/**
 * A report as one HTML page: a file that works without a network, to be read in a browser, mailed
 * or printed. What it shows stands in the report, too; it holds no more of the records.
 */
export async function reportHtml(report: Report): Promise<string> {
  // What draws charts is large, and few runs need it.
  const { reportPage } = await import('./page.js');
  return reportPage(report);
}
