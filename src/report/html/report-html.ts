import type { DriftStop, Report } from '../report.js';
import type { RecordSamples } from './samples.js';

/**
 * Renders a report as a self-contained HTML page, to be opened in a browser, mailed or printed.
 * @param samples records with problems, as they were read; otherwise the page contains no more of the
 *   records than the report does
 */
export async function reportHtml(
  report: Report | DriftStop,
  samples?: RecordSamples,
): Promise<string> {
  // Loaded lazily: few runs need it.
  const { reportPage } = await import('./page.js');
  return reportPage(report, samples);
}
