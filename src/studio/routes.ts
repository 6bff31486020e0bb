/** The studio's API. No request contains a path: a studio has one source file and one mapping file. */
import path from 'node:path';
import { type Mapping, type Report, validateDocuments } from '../index.js';
import { readMappingText } from '../operations/studio/sample-source.js';
import { Answers } from './answers.js';
import { type Emit, followRun, type Jobs, rehearse, type WholeFileOptions } from './jobs.js';
import { readSaved, save } from './mapping-file.js';
import type { ReportPages } from './pages.js';
import {
  type DatedText,
  type ImportedText,
  type RequestBodies,
  readBody,
  type StudioApp,
  StudioError,
} from './requests.js';
import { importInto, listMonitorings, type StudioService } from './service.js';
import type { SourceFile } from './source-file.js';
import type { MappingAnswer, MonitoringsAnswer } from './wire.js';

/** State shared by all routes. */
export interface Studio {
  readonly source: SourceFile;
  /** Path of the mapping file. */
  readonly mapping: string;
  readonly commands: MappingAnswer['commands'];
  readonly jobs: Jobs;
  readonly reports: ReportPages;
  /** `undefined` if the studio has no connection. */
  readonly service: StudioService | undefined;
}

/** The requests that `Answers` answers, each with what its body has to have. */
const ANSWERED = {
  guess: [],
  source: ['text'],
  columns: ['text'],
  values: ['text', 'column'],
  edit: ['text'],
  evaluate: ['text'],
  records: ['text'],
  propose: ['text', 'path', 'columns'],
  try: ['text', 'path', 'rule'],
} as const;

/** Adds all routes below `/api/`. */
export function addRoutes(app: StudioApp, studio: Studio): void {
  const { source, mapping, commands, jobs, reports, service } = studio;
  const answers = new Answers(source, mapping);
  for (const [name, required] of Object.entries(ANSWERED)) {
    app.post(`/api/${name}`, async (c) =>
      c.json(await answers[name as keyof RequestBodies](await readBody<never>(c, required))),
    );
  }
  app.get('/api/stamp', async (c) => c.json({ stamp: await source.stamp() }));
  app.get('/api/mapping', (c) => {
    const answer: MappingAnswer = {
      name: path.basename(mapping),
      saved: readSaved(mapping),
      commands,
      service: service === undefined ? null : (service.name ?? service.connection.baseUrl),
    };
    return c.json(answer);
  });
  app.put('/api/mapping', async (c) => {
    const { text } = await readBody<DatedText>(c, ['text']);
    const match = c.req.header('if-match');
    const isNew = c.req.header('if-none-match') === '*';
    return c.json(save(mapping, text, { match, isNew }));
  });
  job('/api/validate', (options, emit) => followRun(validateDocuments(options), emit));
  job('/api/rehearse', rehearse);
  app.get('/api/monitorings', async (c) => {
    const monitorings = await listMonitorings(connected());
    return c.json({ monitorings } satisfies MonitoringsAnswer);
  });
  app.post('/api/import', async (c) => {
    const needed = ['text', 'monitoring', 'stamp', 'job'] as const;
    const { text, asOf, monitoring, stamp, job } = await readBody<ImportedText>(c, needed);
    const target = connected();
    if ((await source.stamp()) !== stamp) {
      throw new StudioError(
        412,
        `${source.path} has changed since it was checked. Check it again, then import.`,
      );
    }
    return await jobs.start(async (emit, signal) => {
      const given = { text, asOf, monitoring, input: [source.path], mapping, signal };
      await sendReport(await importInto(target, given, emit), stamp, emit);
    }, job);
  });
  app.post('/api/interrupt', async (c) => {
    jobs.interrupt((await readBody<Pick<ImportedText, 'job'>>(c, ['job'])).job);
    return c.json({});
  });

  function connected(): StudioService {
    if (service !== undefined) return service;
    throw new StudioError(
      409,
      'This studio has no connection to a service. Stop it, and start it with one, for example with --base-url, --username and --api-key-file.',
    );
  }

  async function sendReport(report: Report, stamp: string, emit: Emit): Promise<void> {
    emit({ type: 'report', report, page: await reports.add(report), stamp });
  }

  /** Runs over the whole file with the mapping in the request, saved or not. */
  function job(
    place: string,
    run: (options: WholeFileOptions, emit: Emit) => Promise<Report>,
  ): void {
    app.post(place, async (c) => {
      const { text, asOf } = await readBody<DatedText>(c, ['text']);
      const { written, error } = readMappingText(text, mapping);
      if (error !== undefined) throw error;
      const stamp = await source.stamp();
      return await jobs.start(async (emit, signal) => {
        const options = { input: [source.path], mapping: written as Mapping, signal };
        const dated = asOf === undefined ? options : { ...options, asOf };
        await sendReport(await run({ ...dated, throwOn: 'never' }, emit), stamp, emit);
      });
    });
  }
}
