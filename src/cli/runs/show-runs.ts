import type { RunProgress } from '../../cluster/run-progress.js';
import { OptionError } from '../../model/errors.js';
import { count, thousands } from '../../model/figures.js';
import { cut, paint, type Terminal, type Tone, wrap } from '../../model/terminal.js';
import { printable } from '../../model/text.js';
import { isShared, shownState } from '../../operations/options.js';
import { listRuns, type RunSummary, showRun } from '../../operations/runs/show-runs.js';
import { checkOutput } from '../../outputs/check-output.js';
import { writeOutput } from '../../outputs/output-file.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import { reportJson, WRITTEN_EARLIER } from '../../report/written-earlier.js';
import { type StateArguments, stateOf } from '../options/connection.js';
import { type TableColumn, tableText } from '../output/table.js';
import { terminalOf } from '../output/terminal-of.js';
import {
  isStdout,
  jsonText,
  log,
  logCommand,
  pageFile,
  print,
  programName,
  withProgramName,
} from '../print.js';
import { stateFlag } from './resume-hint.js';

/**
 * `docferry runs list`. Unreadable journals are reported on stderr, and don't prevent listing other
 * runs.
 */
export async function printRuns(args: StateArguments, json: boolean): Promise<number> {
  const state = stateOf(args);
  const { runs, failures } = await listRuns(state);
  if (json) print(JSON.stringify(runs, null, 2));
  else if (runs.length === 0) log(`No imports in ${shownState(state)} yet.`);
  else {
    process.stdout.write(tableText(runs, RUN_COLUMNS, terminalOf(process.stdout)));
    const { run = 'RUN' } = runs.at(-1) ?? {};
    const command = [programName(), 'runs', 'show', run, ...stateFlag(args)];
    logCommand('To see the outcomes of the latest:', command.join(' '));
  }
  for (const message of failures) log(message);
  return failures.length === 0 ? 0 : 4;
}

export async function printRun(
  args: StateArguments,
  { run, json, ...files }: RunToShow,
): Promise<number> {
  const state = stateOf(args);
  const { summary, report } = await showRun(state, run);
  if (files.htmlFile !== undefined || files.reportFile !== undefined) {
    if (report === undefined) throw new OptionError(`The run ${run} has no report yet.`);
    await writeFiles(report, files);
    return 0;
  }
  const progress = isShared(state) ? await progressOf(state, run) : undefined;
  if (json) {
    const shared = progress === undefined ? {} : { progress };
    print(JSON.stringify({ ...summary, report: report ?? null, ...shared }, null, 2));
    return 0;
  }
  const terminal = terminalOf(process.stdout);
  const texts = [
    summaryText(summary, terminal),
    ...(progress === undefined ? [] : [progressText(progress, summary.started, terminal)]),
    ...(report === undefined
      ? []
      : ['', 'Its last report:', '', reportText(report, terminal).trimEnd()]),
  ];
  process.stdout.write(`${withProgramName(texts.join('\n'))}\n`);
  if (!summary.resumable) return 0;
  const flags = stateFlag(args);
  logCommand('To resume:', [programName(), 'runs', 'resume', run, ...flags].join(' '));
  return 0;
}

interface RunToShow {
  readonly run: string;
  readonly json?: boolean;
  /** Files to write the last report to, instead of printing. */
  readonly htmlFile?: string;
  readonly reportFile?: string;
  readonly force?: boolean;
}

async function writeFiles(
  report: Report,
  { htmlFile, reportFile, force = false }: Omit<RunToShow, 'run'>,
): Promise<void> {
  const options = { force, inputs: [] };
  if (htmlFile !== undefined) await writePage(report, htmlFile, options);
  if (reportFile !== undefined) writeJson(report, reportFile, options);
}

async function progressOf(state: string, run: string): Promise<RunProgress | undefined> {
  const { progressOfRun } = await import('../../cluster/run-progress.js');
  return await progressOfRun(state, run);
}

function progressText(
  { counts, shards, planned, workers, stop }: RunProgress,
  started: string | null,
  terminal: Terminal,
): string {
  const { open, leased, done } = shards;
  const total = open + leased + done;
  const seconds = started === null ? 0 : (Date.now() - Date.parse(started)) / 1_000;
  const facts: readonly (readonly [string, string])[] = [
    [
      'progress',
      `${count(counts.read, 'record')} read, ${thousands(counts.accepted)} accepted; ${thousands(counts.read / Math.max(1, seconds))} records/s since it began`,
    ],
    [
      'shards',
      `${thousands(done)} of ${thousands(total)} done${planned ? '' : ' (more are being planned)'}, ${thousands(leased)} being processed`,
    ],
    ...workers.map(({ name, shards: own, silentMs }): [string, string] => [
      'worker',
      `${name}: ${count(own, 'shard')}, last seen ${Math.round(silentMs / 1_000)} s ago`,
    ]),
    ...(workers.length === 0
      ? [['workers', 'no worker is processing it: start one with `docferry worker`'] as const]
      : []),
    ...(stop === null ? [] : [['stopping', stop.message] as const]),
  ];
  return facts.map(([fact, text]) => factLine(fact, text, terminal)).join('\n');
}

/** Columns for a monitoring and its service; where there is less room, they are left out. */
const MAX_TARGET = 30;

const RUN_COLUMNS: readonly TableColumn<RunSummary>[] = [
  { title: 'run', cell: ({ run }) => run },
  { title: 'started (UTC)', cell: ({ started }) => minute(started), optional: 3 },
  { title: 'state', cell: ({ state }) => stateText(state), tone: toneOfState },
  { title: 'accepted', cell: ({ documents }) => thousands(documents.accepted), align: 'right' },
  { title: 'open', cell: openText, align: 'right' },
  { title: 'rejects', cell: ({ rejects }) => thousands(rejects), align: 'right', optional: 1 },
  { title: 'monitoring', cell: (run) => cut(targetText(run), MAX_TARGET), optional: 2 },
  { title: 'input', cell: ({ inputs }) => inputs.join(', ') },
];

/** Documents that are left; `+` if the inputs hold more that weren't read. */
function openText({ state, documents, readToEnd }: RunSummary): string {
  if (state === 'unreadable') return '–';
  const { sending, unknown, unsent } = documents;
  return `${thousands(sending + unknown + unsent)}${readToEnd ? '' : '+'}`;
}

function targetText({ target }: RunSummary): string {
  if (target === null) return '–';
  return `${target.monitoring} (${target.service.replace(/^https?:\/\//, '')})`;
}

function minute(started: string | null): string {
  return started === null ? '–' : started.slice(0, 16).replace('T', ' ');
}

function summaryText(summary: RunSummary, terminal: Terminal): string {
  const { run, state, inputs, target, documents, resolvedLater, rejects, resumable } = summary;
  const counts = Object.entries(documents)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${thousands(count)} ${kind === 'sending' ? 'unconfirmed' : kind}`);
  if (resolvedLater > 0) counts.push(`${thousands(resolvedLater)} resolved by a later run`);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['started', summary.started === null ? undefined : `${minute(summary.started)} UTC`],
    ['documents', counts.length === 0 ? 'nothing sent' : counts.join(', ')],
    ['rejects', rejects === 0 ? undefined : thousands(rejects)],
    ['monitoring', target === null ? undefined : `${target.monitoring} (${target.service})`],
    ['inputs', inputs.join(', ')],
  ];
  const name = paint(stateText(state), toneOfState(summary), terminal);
  return [
    `${paint(run, 'bold', terminal)}  ${name}${resumable ? ', can be resumed' : ''}`,
    ...facts.flatMap(([fact, text]) =>
      text === undefined ? [] : [factLine(fact, text, terminal)],
    ),
  ].join('\n');
}

const FACT_WIDTH = 10;

function factLine(fact: string, text: string, terminal: Terminal): string {
  const line = `  ${paint(fact.padEnd(FACT_WIDTH), 'dim', terminal)}  ${printable(text)}`;
  return wrap(line, terminal, FACT_WIDTH + 4);
}

function toneOfState({ state, rejects }: RunSummary): Tone {
  if (state === 'finished') return rejects === 0 ? 'good' : 'mixed';
  if (state === 'under way') return 'bold';
  return state === 'unreadable' ? 'bad' : 'mixed';
}

/** Returns the label of a state; the JSON keeps the original name. */
function stateText(state: string): string {
  return state === 'under way' ? 'running' : state;
}

interface WriteOptions {
  readonly force: boolean;
  readonly inputs: readonly string[];
}

/**
 * Writes a report as an HTML page.
 * @throws OptionError, OutputError
 */
export async function writePage(
  report: Report,
  file: string,
  options: WriteOptions,
): Promise<void> {
  const { reportHtml } = await import('../../report/html/report-html.js');
  const path = pageFile(file).replaceAll('{run}', report.run);
  writeFile('htmlFile', path, await reportHtml(report), options);
}

function writeJson(report: Report, file: string, options: WriteOptions): void {
  if (isStdout(file)) print(jsonText(report));
  else writeFile('reportFile', file.replaceAll('{run}', report.run), reportJson(report), options);
}

function writeFile(
  option: keyof typeof WRITTEN_EARLIER,
  path: string,
  text: string,
  { force, inputs }: WriteOptions,
): void {
  const mayReplace = (): boolean => force || WRITTEN_EARLIER[option](path);
  const remedy = 'name another one, or give --force to replace it';
  checkOutput({ path, what: 'report', mayReplace: mayReplace(), remedy }, { inputs });
  writeOutput(path, text, { mayReplace });
}
