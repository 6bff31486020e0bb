/** Reads the first records with problems again, for the page of a report. */
import { DocferryError } from '../../model/errors.js';
import type { Place, ProblemKind } from '../../model/record.js';
import type { RecordSample, RecordSamples } from '../../report/html/samples.js';
import type { Report } from '../../report/report.js';
import type { RecordOptions, ValidateOptions } from '../options.js';
import { type PreviewedRecord, previewSource } from '../preview-documents.js';
import { planRecords } from './plan-records.js';

/**
 * Reads at most `most` of the records that a report has problems of.
 * @returns the reason if they can't be read a second time
 */
export async function readSamples(
  options: RecordOptions & Pick<ValidateOptions, 'signal'>,
  report: Report,
  most: number,
): Promise<RecordSamples> {
  if (![options.input].flat().every((one) => typeof one === 'string' && one !== '-')) {
    return 'No records are shown, because the input can be read only once.';
  }
  try {
    return await readAgain(options, report, most);
  } catch (error) {
    if (!(error instanceof DocferryError)) throw error;
    return `No records are shown, because the input can't be read again: ${error.message}`;
  }
}

async function readAgain(
  options: RecordOptions & Pick<ValidateOptions, 'signal'>,
  report: Report,
  most: number,
): Promise<RecordSamples> {
  const messages = messagesByPlace(report);
  const repeated = report.problems.find(({ kind }) => kind === 'repeated-id')?.count ?? 0;
  const wanted = Math.min(most, report.counts.invalid - repeated + messages.size);
  const samples: RecordSample[] = [];
  for await (const { place, record, document, problems } of recordsOf(report, options)) {
    if (samples.length >= wanted || options.signal?.aborted) break;
    const known = problems.length > 0 ? problems : messages.get(keyOf(place));
    if (known !== undefined) samples.push({ place, record, document, problems: known });
  }
  const isCut = options.signal?.aborted === true && samples.length === 0 && wanted > 0;
  return isCut ? 'No records are shown, because the run was interrupted.' : samples;
}

/** Yields the records that a run has read. */
async function* recordsOf(
  { inputs, started }: Report,
  options: RecordOptions,
): AsyncGenerator<PreviewedRecord, void> {
  const uses = { sends: false, surveys: false, started: new Date(started ?? Date.now()) };
  const { transform, sources } = await planRecords(options, uses);
  try {
    for (const [at, source] of sources.entries()) {
      const last = inputs[at]?.records ?? 0;
      for await (const previewed of previewSource(source, transform)) {
        if (previewed.place.record > last) break;
        yield previewed;
      }
    }
  } finally {
    for (const source of sources) source.close();
  }
}

const FOUND_BY_RUNS: ReadonlySet<ProblemKind> = new Set([
  ...(['repeated-id', 'changed', 'in-doubt', 'rejected', 'unknown', 'shown-twice'] as const),
]);

/** Lists the first problems that a preview doesn't find. */
function messagesByPlace({
  problems,
}: Report): ReadonlyMap<string, readonly { message: string }[]> {
  const messages = new Map<string, { message: string }[]>();
  for (const { kind, examples } of problems) {
    if (!FOUND_BY_RUNS.has(kind)) continue;
    for (const { message, ...place } of examples) {
      messages.set(keyOf(place), [...(messages.get(keyOf(place)) ?? []), { message }]);
    }
  }
  return messages;
}

function keyOf({ source, record }: Place): string {
  return `${record} ${source}`;
}
