/** What the page can ask. No request names a path: there is one file, and one mapping. */
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
  mappingOfText,
  previewSample,
  sampledRows,
  writtenIn,
} from '../operations/studio/sample-source.js';
import type { StudioApp, StudioContext } from './app.js';
import { Cut } from './cut.js';
import { followRun, type Jobs, rehearse, type Tell } from './jobs.js';
import { readSaved, save } from './mapping-file.js';
import type { ReportPages } from './pages.js';
import { isObject, readEdit, readPlace, readPreviewRequest, readText } from './requests.js';
import type { Samples, StampedSample } from './samples.js';
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

/** What the studio works on. */
export interface Studio {
  readonly file: string;
  /** Whether a ready mapping may be proposed. */
  readonly ready: boolean;
  readonly mapping: string;
  /** Commands to copy. */
  readonly commands: MappingAnswer['commands'];
  readonly samples: Samples;
  readonly jobs: Jobs;
  readonly reports: ReportPages;
}

const SHOWN_ROWS = 50;
/** Expressions of a mapping may take long on each record. */
const MAX_PREVIEW_MS = 3_000;

/** Adds everything below `/api/`. */
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
      written: writtenIn(text),
    };
    return c.json(answer);
  });
  app.post('/api/complete', async (c) => {
    const { text, offset } = await readPlace(c);
    const columns = await columnsFor(samples, text, mapping);
    return c.json(completeMapping(text, offset, { columns }));
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
    runJob(c, studio, (mappingGiven, tell, signal) =>
      rehearse({ file: studio.file, mapping: mappingGiven, signal }, tell),
    ),
  );

  function validate(given: Written, tell: Tell, signal: AbortSignal): Promise<Report> {
    const options = { input: [studio.file], mapping: given, signal, throwOn: 'never' as const };
    return followRun(validateDocuments(options), tell);
  }
}

type Written = ReturnType<typeof mappingOfText>['written'];

/** How a mapping says that the file is read; nothing of one that has mistakes. */
function inputOf(text: string, name: string): InputOptions {
  try {
    return mappingOfText(text, name).input;
  } catch (error) {
    if (error instanceof MappingError) return {};
    throw error;
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
  const cut = new Cut(rows.length * (columns?.length ?? 20));
  const shown = rows.map((row) => ({
    ...row,
    record: cut.value(row.record) as PreviewedRecord['record'],
  }));
  const { detected } = source;
  return {
    ...aboutFile(sample, known, cut),
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

function aboutFile(sample: StampedSample, known: string | undefined, cut: Cut): AboutFile {
  const { source, stamp, others } = sample;
  const changed =
    known === undefined || known === stamp
      ? []
      : [`${path.basename(source.name)} has changed on the disk: it was read again.`];
  const more =
    others.length === 0
      ? []
      : [`The file holds ${others.length + 1} sources; this is the first, ${source.name}.`];
  const notices = [...changed, ...more, ...source.notices, ...(source.remarks?.() ?? [])];
  return { stamp, notices: cut.notice === null ? notices : [...notices, cut.notice] };
}

async function guessAnswer({ file, ready, samples }: Studio): Promise<GuessAnswer> {
  const stamp = await samples.stamp();
  return { stamp, notices: [], guess: await guessMapping({ input: [file], ready }) };
}

/** The columns that a mapping's rules may name; `null` while nobody can tell. */
async function columnsFor(
  samples: Samples,
  text: string,
  name: string,
): Promise<readonly string[] | null> {
  try {
    const { source } = await samples.take(inputOf(text, name));
    return source.layout.columns ?? null;
  } catch {
    // A preview says why the file can't be read.
    return null;
  }
}

async function previewAnswer(
  { samples, mapping }: Studio,
  request: PreviewRequest,
): Promise<PreviewAnswer> {
  const { text, stamp, from = 0, limit = SHOWN_ROWS, search = '', ...only } = request;
  const given = mappingOfText(text, mapping);
  const sample = await samples.take(given.input);
  const shown: PreviewedRecord[] = [];
  const wanted = search.toLowerCase();
  const endMs = performance.now() + MAX_PREVIEW_MS;
  let [passed, more, late] = [0, false, false];
  for await (const previewed of previewSample(sample, given, only)) {
    late = performance.now() > endMs;
    if (wanted === '' || holds(previewed.record, wanted)) {
      more = shown.length === limit;
      if (passed >= from && !more) shown.push(previewed);
      passed += 1;
    }
    if (more || late) break;
  }
  const cut = new Cut(shown.length * 2 * (sample.source.layout.columns?.length ?? 20));
  const records = shown.map((one): ShownRecord => {
    const before = cut.count;
    return { ...(cut.value(one) as PreviewedRecord), isCut: cut.count > before };
  });
  const about = aboutFile(sample, stamp, cut);
  const notices = late ? [...about.notices, TOO_SLOW] : about.notices;
  return { ...about, notices, records, more, kept: sample.records, whole: sample.whole };
}

const TOO_SLOW =
  'The mapping takes so long on these records that only some of them are shown: its expressions may be slow.';

/** Whether any text in a value contains another one, in whatever case. */
function holds(value: unknown, wanted: string): boolean {
  if (isObject(value)) return Object.values(value).some((inner) => holds(inner, wanted));
  return value !== null && String(value).toLowerCase().includes(wanted);
}

type Run = (given: Written, tell: Tell, signal: AbortSignal) => Promise<Report>;

/** Runs the whole file through a mapping, saved or not. */
async function runJob(
  c: StudioContext,
  { mapping, samples, jobs, reports }: Studio,
  run: Run,
): Promise<Response> {
  const { text } = await readText(c);
  const { written } = mappingOfText(text, mapping);
  await samples.stamp();
  return await jobs.start(async (tell, signal) => {
    const report = await run(written, tell, signal);
    tell({ type: 'report', report, page: await reports.add(report) });
  });
}
