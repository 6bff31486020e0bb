/** The studio's API. No request contains a path: a studio has one source file and one mapping file. */
import path from 'node:path';
import { completeMapping, type Report, validateDocuments } from '../index.js';
import { FORMAT_NAMES, type InputOptions } from '../operations/options.js';
import type { PreviewedRecord } from '../operations/preview-documents.js';
import { editMappingText } from '../operations/studio/edit-text.js';
import {
  columnNames,
  parseMappingText,
  recordLists,
  sampledRows,
} from '../operations/studio/sample-source.js';
import type { StudioApp, StudioContext } from './app.js';
import type { DraftCache } from './drafts.js';
import {
  aboutFile,
  columnsAnswer,
  evaluate,
  findRecords,
  inputOf,
  propose,
  tryOut,
} from './evaluate.js';
import { type Emit, followRun, type Jobs, rehearse } from './jobs.js';
import { readSaved, save } from './mapping-file.js';
import type { ReportPages } from './pages.js';
import {
  readEdit,
  readEvaluateRequest,
  readPosition,
  readProposeRequest,
  readRecordsRequest,
  readText,
  readTryRequest,
} from './requests.js';
import type { SampleCache } from './samples.js';
import { ValueShortener } from './shorten-values.js';
import type { GuessAnswer, MappingAnswer, SourceAnswer } from './wire.js';

/** State shared by all routes. */
export interface Studio {
  /** Path of the source file. */
  readonly file: string;
  /** Path of the mapping file. */
  readonly mapping: string;
  readonly commands: MappingAnswer['commands'];
  readonly samples: SampleCache;
  readonly drafts: DraftCache;
  readonly jobs: Jobs;
  readonly reports: ReportPages;
}

const SHOWN_ROWS = 50;

/** Adds all routes below `/api/`. */
export function addRoutes(app: StudioApp, studio: Studio): void {
  const { samples, mapping, commands } = studio;
  app.get('/api/stamp', async (c) => c.json({ stamp: await samples.stamp() }));
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
  app.post('/api/complete', async (c) => {
    const { text, offset } = await readPosition(c);
    const names = await namesFor(studio, text);
    return c.json(completeMapping(text, offset, names));
  });
  app.post('/api/edit', async (c) => {
    const { text, changes = [], dismiss } = await readEdit(c);
    return c.json({ text: editMappingText(text, changes, dismiss) });
  });
  app.post('/api/evaluate', async (c) =>
    c.json(await evaluate(studio, await readEvaluateRequest(c))),
  );
  app.post('/api/records', async (c) =>
    c.json(await findRecords(studio, await readRecordsRequest(c))),
  );
  app.post('/api/columns', async (c) => c.json(await columnsAnswer(studio, await readText(c))));
  app.post('/api/try', async (c) => c.json(await tryOut(studio, await readTryRequest(c))));
  app.post('/api/propose', async (c) => c.json(await propose(studio, await readProposeRequest(c))));
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

async function guessAnswer({ drafts, samples }: Studio): Promise<GuessAnswer> {
  const stamp = await samples.stamp();
  return { stamp, notices: [], guess: await drafts.guess(stamp) };
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
