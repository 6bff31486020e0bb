/** The studio's API. No request contains a path: a studio has one source file and one mapping file. */
import path from 'node:path';
import {
  checkMapping,
  completeMapping,
  editMapping,
  guessMapping,
  type Report,
  validateDocuments,
} from '../index.js';
import { MappingError } from '../model/errors.js';
import { FORMAT_NAMES, type InputOptions } from '../operations/options.js';
import type { PreviewedRecord } from '../operations/preview-documents.js';
import {
  columnNames,
  parseMappingText,
  parseYamlOrNull,
  previewSample,
  recordLists,
  sampledRows,
} from '../operations/studio/sample-source.js';
import type { StudioApp, StudioContext } from './app.js';
import { type Emit, followRun, type Jobs, rehearse } from './jobs.js';
import { readSaved, save } from './mapping-file.js';
import type { ReportPages } from './pages.js';
import { isObject, readEdit, readPosition, readPreviewRequest, readText } from './requests.js';
import type { SampleCache, StampedSample } from './samples.js';
import { ValueShortener } from './shorten-values.js';
import type {
  AboutFile,
  CheckAnswer,
  GuessAnswer,
  MappingAnswer,
  PreviewAnswer,
  PreviewRequest,
  ShownRecord,
  SourceAnswer,
} from './wire.js';

/** State shared by all routes. */
export interface Studio {
  /** Path of the source file. */
  readonly file: string;
  /** Whether a mapping shipped with docferry may be proposed. */
  readonly ready: boolean;
  /** Path of the mapping file. */
  readonly mapping: string;
  readonly commands: MappingAnswer['commands'];
  readonly samples: SampleCache;
  readonly jobs: Jobs;
  readonly reports: ReportPages;
}

const SHOWN_ROWS = 50;
/** Time limit of a preview: a mapping's regular expressions may be slow on every record. */
const MAX_PREVIEW_MS = 3_000;

/** Adds all routes below `/api/`. */
export function addRoutes(app: StudioApp, studio: Studio): void {
  const { samples, mapping, commands } = studio;
  app.get('/api/source', async (c) => c.json(await sourceAnswer(studio, {}, undefined)));
  app.put('/api/source', async (c) => {
    const { text, stamp } = await readText(c);
    return c.json(await sourceAnswer(studio, inputOf(text, mapping), stamp));
  });
  app.get('/api/mapping', async (c) => {
    const answer: MappingAnswer = {
      name: path.basename(mapping),
      saved: await readSaved(mapping),
      commands,
    };
    return c.json(answer);
  });
  app.put('/api/mapping', async (c) => {
    const { text } = await readText(c);
    const known = {
      match: c.req.header('if-match'),
      isNew: c.req.header('if-none-match') === '*',
    };
    return c.json(await save(mapping, text, known));
  });
  app.post('/api/guess', async (c) => c.json(await guessAnswer(studio)));
  app.post('/api/check', async (c) => {
    const { text } = await readText(c);
    const columns = await columnsFor(samples, text, mapping);
    const answer: CheckAnswer = {
      mistakes: checkMapping(text, { columns }),
      written: parseYamlOrNull(text),
    };
    return c.json(answer);
  });
  app.post('/api/complete', async (c) => {
    const { text, offset } = await readPosition(c);
    const names = await namesFor(studio, text);
    return c.json(completeMapping(text, offset, names));
  });
  app.post('/api/edit', async (c) => {
    const { text, change } = await readEdit(c);
    return c.json({ text: editMapping(text, change) });
  });
  app.post('/api/preview', async (c) =>
    c.json(await previewAnswer(studio, await readPreviewRequest(c))),
  );
  app.post('/api/validate', (c) => runJob(c, studio, validate));
  app.post('/api/rehearse', (c) =>
    runJob(c, studio, (written, emit, signal) =>
      rehearse({ file: studio.file, mapping: written, signal }, emit),
    ),
  );

  function validate(written: Written, emit: Emit, signal: AbortSignal): Promise<Report> {
    const options = { input: [studio.file], mapping: written, signal, throwOn: 'never' as const };
    return followRun(validateDocuments(options), emit);
  }
}

type Written = ReturnType<typeof parseMappingText>['written'];

/** Input options of a mapping, which may be unfinished elsewhere. */
function inputOf(text: string, name: string): InputOptions {
  try {
    return parseMappingText(text, name).mapping.input;
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    const written = parseYamlOrNull(text);
    const input = isObject(written) ? written['input'] : undefined;
    return isObject(input) ? input : {};
  }
}

async function sourceAnswer(
  { samples }: Studio,
  input: InputOptions,
  known: string | undefined,
): Promise<SourceAnswer> {
  const sample = await samples.take(input);
  const { source, records, whole } = sample;
  const rows = await sampledRows(sample, SHOWN_ROWS);
  const columns = source.layout.columns;
  const shortener = new ValueShortener(rows.length * (columns?.length ?? 20));
  const shown = rows.map((row) => ({
    ...row,
    record: shortener.value(row.record) as PreviewedRecord['record'],
  }));
  const { detected } = source;
  return {
    ...aboutFile(sample, known, shortener),
    name: path.basename(source.name),
    bytes: source.size,
    detected: {
      format: detected.format,
      encoding: detected.encoding,
      compression: detected.compression,
      delimiter: detected.delimiter ?? null,
      quote: detected.quote ?? null,
      sheet: detected.sheet ?? null,
    },
    formats: FORMAT_NAMES,
    columns: columns ?? null,
    rows: shown,
    records,
    whole,
  };
}

function aboutFile(
  sample: StampedSample,
  known: string | undefined,
  shortener: ValueShortener,
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
  const notices = [...changed, ...more, ...source.notices, ...(source.remarks?.() ?? [])];
  return { stamp, notices: shortener.notice === null ? notices : [...notices, shortener.notice] };
}

async function guessAnswer({ file, ready, samples }: Studio): Promise<GuessAnswer> {
  const stamp = await samples.stamp();
  return { stamp, notices: [], guess: await guessMapping({ input: [file], ready }) };
}

/** Columns that the mapping's rules can name; `null` if the file can't be read. */
async function columnsFor(
  samples: SampleCache,
  text: string,
  name: string,
): Promise<readonly string[] | null> {
  try {
    const { source } = await samples.take(inputOf(text, name));
    return source.layout.columns ?? null;
  } catch {
    // The preview reports why the file can't be read.
    return null;
  }
}

/** Names that a mapping of the file can use; none if the file can't be read. */
async function namesFor(
  { file, samples, mapping }: Studio,
  text: string,
): Promise<NonNullable<Parameters<typeof completeMapping>[2]>> {
  const input = inputOf(text, mapping);
  const lists = await recordLists(file, input);
  try {
    return { columns: await columnNames(await samples.take(input)), lists };
  } catch {
    return { lists };
  }
}

async function previewAnswer(
  { samples, mapping }: Studio,
  request: PreviewRequest,
): Promise<PreviewAnswer> {
  const { text, stamp, from = 0, limit = SHOWN_ROWS, search = '', ...only } = request;
  const parsed = parseMappingText(text, mapping);
  const sample = await samples.take(parsed.mapping.input);
  const shown: PreviewedRecord[] = [];
  const wanted = search.toLowerCase();
  const endMs = performance.now() + MAX_PREVIEW_MS;
  let [passed, more, late] = [0, false, false];
  for await (const previewed of previewSample(sample, parsed, only)) {
    late = performance.now() > endMs;
    if (wanted === '' || containsText(previewed.record, wanted)) {
      more = shown.length === limit;
      if (passed >= from && !more) shown.push(previewed);
      passed += 1;
    }
    if (more || late) break;
  }
  const shortener = new ValueShortener(
    shown.length * 2 * (sample.source.layout.columns?.length ?? 20),
  );
  const records = shown.map((one): ShownRecord => {
    const before = shortener.count;
    return { ...(shortener.value(one) as PreviewedRecord), isCut: shortener.count > before };
  });
  const about = aboutFile(sample, stamp, shortener);
  const notices = late ? [...about.notices, TOO_SLOW] : about.notices;
  return { ...about, notices, records, more, sampled: sample.records, whole: sample.whole };
}

const TOO_SLOW =
  'The preview took too long, so only some records are shown. A regular expression of the mapping may be slow.';

/** Whether any text inside a value contains `wanted`, which is in lower case. */
function containsText(value: unknown, wanted: string): boolean {
  if (isObject(value)) return Object.values(value).some((inner) => containsText(inner, wanted));
  return value !== null && String(value).toLowerCase().includes(wanted);
}

type Run = (mapping: Written, emit: Emit, signal: AbortSignal) => Promise<Report>;

/** Starts a job over the whole file with the mapping in the request, saved or not. */
async function runJob(
  c: StudioContext,
  { mapping, samples, jobs, reports }: Studio,
  run: Run,
): Promise<Response> {
  const { text } = await readText(c);
  const { written } = parseMappingText(text, mapping);
  await samples.stamp();
  return await jobs.start(async (emit, signal) => {
    const report = await run(written, emit, signal);
    emit({ type: 'report', report, page: await reports.add(report) });
  });
}
