/** Reads the first records with problems again, for the page of a report. */
import { messageOf } from '../../model/errors.js';
import { omitUndefined } from '../../model/options.js';
import type { Place } from '../../model/record.js';
import type { RecordSample, RecordSamples } from '../../report/html/samples.js';
import type { Report } from '../../report/report.js';
import type { RecordOptions } from '../options.js';
import { previewDocuments } from '../preview-documents.js';

/**
 * Reads at most `most` of the records that a report has problems of.
 * @returns the reason if they can't be read a second time
 */
export async function readSamples(
  { input, mapping, source, profile, schema, asOf }: RecordOptions,
  report: Report,
  most: number,
): Promise<RecordSamples> {
  if (![input].flat().every((one) => typeof one === 'string' && one !== '-')) {
    return 'No records are shown, because the input can be read only once.';
  }
  const messages = messagesByPlace(report);
  const { invalid, rejected, unknown } = report.counts;
  const wanted = Math.min(most, invalid + rejected + unknown);
  const samples: RecordSample[] = [];
  const options = { input, mapping, ...omitUndefined({ source, profile, schema, asOf }) };
  try {
    for await (const { place, record, document, problems } of previewDocuments(options)) {
      if (samples.length >= wanted) break;
      // Those that only a whole run finds are known by their place.
      const known = problems.length > 0 ? problems : messages.get(keyOf(place));
      if (known !== undefined) samples.push({ place, record, document, problems: known });
    }
    return samples;
  } catch (error) {
    return `No records are shown, because the input can't be read again: ${messageOf(error)}`;
  }
}

function messagesByPlace({
  problems,
}: Report): ReadonlyMap<string, readonly { message: string }[]> {
  const messages = new Map<string, { message: string }[]>();
  for (const { kind, examples } of problems) {
    if (kind === 'duplicate' || kind === 'known') continue;
    for (const { message, ...place } of examples) {
      messages.set(keyOf(place), [...(messages.get(keyOf(place)) ?? []), { message }]);
    }
  }
  return messages;
}

function keyOf({ source, record }: Place): string {
  return `${record} ${source}`;
}
