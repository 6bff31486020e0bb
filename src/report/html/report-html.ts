import type { Report } from '../report.js';

/**
 * Renders a report as a self-contained HTML page, to be opened in a browser, mailed or printed. It
 * contains no more of the records than the report does.
 */
export async function reportHtml(report: Report): Promise<string> {
  // Loaded lazily: few runs need it.
  const { reportPage } = await import('./page.js');
  return reportPage(report);
}
