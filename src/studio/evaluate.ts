/** Answers about a mapping's text, tried on the sample. */
import path from 'node:path';
import { checkMapping } from '../index.js';
import { DocferryError, MappingError } from '../model/errors.js';
import type { InputOptions } from '../operations/options.js';
import { columnFigures } from '../operations/studio/column-figures.js';
import { healthOf, problemsOf } from '../operations/studio/health.js';
import {
  type MappedRecord,
  type MappedSample,
  mapSample,
} from '../operations/studio/map-sample.js';
import { openQuestions } from '../operations/studio/open-questions.js';
import { proposeRule } from '../operations/studio/propose-rule.js';
import {
  columnUsers,
  parseMappingText,
  parseYamlOrNull,
  trialMapping,
} from '../operations/studio/sample-source.js';
import { tryRule } from '../operations/studio/try-rule.js';
import type { DraftCache } from './drafts.js';
import { isObject } from './requests.js';
import type { SampleCache, StampedSample } from './samples.js';
import { ValueShortener } from './shorten-values.js';
import type {
  AboutFile,
  ColumnsAnswer,
  EvaluateRequest,
  Evaluation,
  Proposal,
  ProposeRequest,
  RecordsAnswer,
  RecordsRequest,
  ShownRecord,
  Trial,
  TryRequest,
} from './wire.js';

/** The samples of the file, and the mapping file's name for messages. */
interface Evaluated {
  readonly samples: SampleCache;
  readonly drafts: DraftCache;
  readonly mapping: string;
}

/** Checks a text and tries it on the sample. */
export async function evaluate(
  studio: Evaluated,
  { text, stamp, record }: EvaluateRequest,
): Promise<Evaluation> {
  const { samples, drafts, mapping } = studio;
  const sample = await samples.take(inputOf(text, mapping)).catch(failureOf);
  const isRead = !(sample instanceof DocferryError);
  const columns = isRead ? (sample.source.layout.columns ?? null) : null;
  const mistakes = checkMapping(text, { columns });
  const mapped = isRead ? mapOrFail(sample, text, mapping) : sample;
  const base = {
    mistakes,
    written: parseYamlOrNull(text),
    questions: openQuestions(text, await drafts.questionsOf(text, await samples.stamp())),
    usedBy: columnUsers(text),
  };
  const shortener = new ValueShortener(2 * (columns?.length ?? 20));
  const failed = { ...base, health: null, shown: null };
  if (!isRead)
    return { stamp: await samples.stamp(), notices: [], ...failed, failure: sample.message };
  if (mapped instanceof DocferryError) {
    const isStated = mistakes.some(({ severity }) => severity === 'error');
    const failure = isStated ? null : mapped.message;
    return { ...aboutFile(sample, stamp, shortener), ...failed, failure };
  }
  const wanted =
    record === undefined
      ? (mapped.records.find(({ document }) => document !== null) ?? mapped.records[0])
      : mapped.records.find(({ place }) => place.record === record);
  const shown = wanted === undefined ? null : shownRecord(mapped, wanted, shortener);
  return {
    ...aboutFile(sample, stamp, shortener, mapped),
    ...base,
    health: await healthOf(mapped),
    failure: null,
    shown,
  };
}

function failureOf(error: unknown): DocferryError {
  if (error instanceof DocferryError) return error;
  throw error;
}

function mapOrFail(
  sample: StampedSample,
  text: string,
  name: string,
): MappedSample | DocferryError {
  try {
    return mapSample(sample, parseMappingText(text, name).mapping);
  } catch (error) {
    return failureOf(error);
  }
}

/** Lists the records of the sample that a table shows. */
export async function findRecords(
  { samples, mapping }: Evaluated,
  { text, stamp, from = 0, limit = 50, search = '', only, problem }: RecordsRequest,
): Promise<RecordsAnswer> {
  const parsed = parseMappingText(text, mapping);
  const sample = await samples.take(parsed.mapping.input);
  const mapped = mapSample(sample, parsed.mapping);
  const groups = problem === undefined ? [] : await problemsOf(mapped);
  const group = groups.find((one) => one.problem.message === problem);
  const wanted = search.toLowerCase();
  const matching = mapped.records.filter(
    (one) =>
      (only === undefined || one.outcome === only) &&
      (problem === undefined || group?.has(one) === true) &&
      (wanted === '' || containsText(one.value, wanted)),
  );
  const page = matching.slice(from, from + limit);
  const shortener = new ValueShortener(
    page.length * 2 * (sample.source.layout.columns?.length ?? 20),
  );
  const records = page.map((one) => shownRecord(mapped, one, shortener));
  return {
    ...aboutFile(sample, stamp, shortener, mapped),
    records,
    matching: matching.length,
    sampled: mapped.records.length,
    whole: sample.whole,
  };
}

function shownRecord(
  mapped: MappedSample,
  record: MappedRecord,
  shortener: ValueShortener,
): ShownRecord {
  const before = shortener.count;
  const shown = shortener.value(mapped.shown(record)) as Omit<ShownRecord, 'isCut' | 'outcome'>;
  return { ...shown, outcome: record.outcome, isCut: shortener.count > before };
}

/** Proposes the rule for a field and columns. */
export async function propose(
  { samples, drafts, mapping }: Evaluated,
  { text, field, columns }: ProposeRequest,
): Promise<Proposal> {
  const draft = await drafts.take(inputOf(text, mapping), await samples.stamp());
  return proposeRule(draft, trialMapping(text, mapping), { field, columns });
}

/** Tries a rule with the input options and defaults of a text that need not be valid otherwise. */
export async function tryOut(
  { samples, mapping }: Evaluated,
  { text, path: place, rule }: TryRequest,
): Promise<Trial> {
  const sample = await samples.take(inputOf(text, mapping));
  const tried = tryRule(sample, trialMapping(text, mapping), place, rule);
  return new ValueShortener(50).value(tried) as Trial;
}

export async function columnsAnswer(
  { samples, mapping }: Evaluated,
  { text, stamp }: { readonly text: string; readonly stamp?: string | undefined },
): Promise<ColumnsAnswer> {
  const sample = await samples.take(inputOf(text, mapping));
  return { ...aboutFile(sample, stamp, new ValueShortener(1)), columns: columnFigures(sample) };
}

/** Input options of a mapping, which may be unfinished elsewhere. */
export function inputOf(text: string, name: string): InputOptions {
  try {
    return parseMappingText(text, name).mapping.input;
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const written = parseYamlOrNull(text);
    const input = isObject(written) ? written['input'] : undefined;
    return isObject(input) ? input : {};
  }
}

export function aboutFile(
  sample: StampedSample,
  known: string | undefined,
  shortener: ValueShortener,
  { late }: Pick<MappedSample, 'late'> = { late: false },
): AboutFile {
  const { source, stamp, others } = sample;
  const changed =
    known === undefined || known === stamp
      ? []
      : [`${path.basename(source.name)} has changed on the disk and was read again.`];
  const more =
    others.length === 0
      ? []
      : [`The archive holds ${others.length + 1} files. This is the first, ${source.name}.`];
  const notices = [
    ...changed,
    ...more,
    ...source.notices,
    ...(source.remarks?.() ?? []),
    ...(late ? [TOO_SLOW] : []),
  ];
  return { stamp, notices: shortener.notice === null ? notices : [...notices, shortener.notice] };
}

const TOO_SLOW =
  'The mapping took too long, so only some records were mapped. A regular expression of the mapping may be slow.';

/** Whether any text inside a value contains `wanted`, which is in lower case. */
function containsText(value: unknown, wanted: string): boolean {
  if (isObject(value)) return Object.values(value).some((inner) => containsText(inner, wanted));
  return value !== null && value !== undefined && String(value).toLowerCase().includes(wanted);
}
