import type { Report } from '../report.js';

/**
 * Renders a report as a self-contained HTML page, to be opened in a browser, mailed or printed. It
 * contains no more of the records than the report does.
 * @param options `quotes`: whether it may quote values of single records; default true
 */
export async function reportHtml(
  report: Report,
  { quotes = true }: { readonly quotes?: boolean | undefined } = {},
): Promise<string> {
  // Loaded lazily: few runs need it.
  const { reportPage } = await import('./page.js');
  return reportPage(report, quotes);
}
