import { OptionError } from '../../model/errors.js';
import { count, thousands } from '../../model/figures.js';
import { cut, paint, type Terminal, type Tone, wrap } from '../../model/terminal.js';
import { printable } from '../../model/text.js';
import { isShared, shardOf, shownState } from '../../operations/options.js';
import {
  filesReadBy,
  isInShards,
  listRuns,
  type RunSummary,
  showRun,
} from '../../operations/runs/list-runs.js';
import type { ShardState } from '../../operations/shards/show-shards.js';
import { checkOutput } from '../../outputs/check-output.js';
import { nameWithRun, writeOutput } from '../../outputs/output-file.js';
import { programName, withProgramName } from '../../report/program-name.js';
import type { Report } from '../../report/report.js';
import { reportText } from '../../report/report-text.js';
import { type StateArguments, stateOf } from '../options/connection.js';
import { type TableColumn, tableText } from '../output/table.js';
import { terminalOf } from '../output/terminal-of.js';
import { isStdout, jsonText, log, logCommand, pageFile, print } from '../print.js';
import { stateFlag } from './next-step.js';

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
  { run, json, ...files }: ShowRunArguments,
): Promise<number> {
  const state = stateOf(args);
  if (isShared(state) && (await isInShards(state, run)))
    return await printShards(args, { run, ...(json && { json }), ...files });
  const { summary, report } = await showRun(state, run);
  if (files.htmlFile !== undefined || files.reportFile !== undefined) {
    if (report === undefined) throw new OptionError(`The run ${run} has no report yet.`);
    await writeFiles(report, files, await filesReadBy(state, run));
    return 0;
  }
  if (json) {
    print(JSON.stringify({ ...summary, report: report ?? null }, null, 2));
    return 0;
  }
  const terminal = terminalOf(process.stdout);
  const texts = [
    summaryText(summary, terminal),
    ...(report === undefined
      ? []
      : ['', 'Its last report:', '', reportText(report, terminal).trimEnd()]),
  ];
  process.stdout.write(`${withProgramName(texts.join('\n'))}\n`);
  if (!summary.resumable) return 0;
  if (shardOf(run) !== undefined) {
    log('To continue this shard, start it again with the command that began it.');
    return 0;
  }
  const flags = stateFlag(args);
  logCommand('To resume:', [programName(), 'runs', 'resume', run, ...flags].join(' '));
  return 0;
}

interface ShowRunArguments {
  readonly run: string;
  readonly json?: boolean;
  /** Files to write the last report to, instead of printing. */
  readonly htmlFile?: string;
  readonly quotes?: boolean;
  readonly reportFile?: string;
}

async function writeFiles(
  report: Report,
  { htmlFile, quotes, reportFile }: Omit<ShowRunArguments, 'run'>,
  inputs: readonly string[],
): Promise<void> {
  if (htmlFile !== undefined) await writePage(report, { htmlFile, quotes }, inputs);
  if (reportFile !== undefined) writeJson(report, reportFile, inputs);
}

/** Prints the shards of an import, a line each. */
async function printShards(
  args: StateArguments,
  { run: key, json, htmlFile, reportFile }: ShowRunArguments,
): Promise<number> {
  if (htmlFile !== undefined || reportFile !== undefined) {
    throw new OptionError(
      `${key} is an import in shards: \`docferry report ${key}\` writes the files of --html and --report.`,
    );
  }
  const state = stateOf(args);
  const { shardsOf } = await import('../../operations/shards/show-shards.js');
  const { shards, startedMs, inputs } = await shardsOf(state, key);
  if (json) {
    print(
      JSON.stringify(
        { run: key, started: new Date(startedMs).toISOString(), inputs, shards },
        null,
        2,
      ),
    );
    return 0;
  }
  process.stdout.write(tableText(shards, SHARD_COLUMNS, terminalOf(process.stdout)));
  const command = [programName(), 'report', key, ...stateFlag(args)];
  logCommand('To see the outcome of all records:', command.join(' '));
  return 0;
}

const SHARD_COLUMNS: readonly TableColumn<ShardState>[] = [
  { title: 'shard', cell: ({ shard }) => `${shard}`, align: 'right' },
  { title: 'state', cell: ({ state }) => state, tone: ({ state }) => toneOfShard(state) },
  { title: 'read', cell: ({ counts }) => thousands(counts.read), align: 'right' },
  { title: 'accepted', cell: ({ counts }) => thousands(counts.accepted), align: 'right' },
  {
    title: 'invalid or rejected',
    cell: ({ counts }) => thousands(counts.invalid + counts.rejected),
    align: 'right',
    optional: 2,
  },
  { title: 'since (UTC)', cell: ({ sinceMs }) => second(sinceMs), optional: 1 },
  { title: 'started', cell: ({ starts }) => count(starts, 'time'), align: 'right' },
  { title: 'process', cell: ({ process }) => process ?? '–', optional: 3 },
];

function toneOfShard(state: ShardState['state']): Tone {
  if (state === 'done') return 'good';
  return state === 'running' ? 'bold' : 'mixed';
}

function second(ms: number | null): string {
  return ms === null ? '–' : new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
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

/**
 * Writes a report as an HTML page.
 * @param inputs files that it must not replace
 * @throws OptionError, OutputError
 */
export async function writePage(
  report: Report,
  { htmlFile, quotes }: { readonly htmlFile: string; readonly quotes: boolean | undefined },
  inputs: readonly string[],
): Promise<void> {
  const { reportHtml } = await import('../../report/html/report-html.js');
  const page = nameWithRun(pageFile(htmlFile), report.run);
  checkOutput({ path: page, what: 'report' }, { inputs: [...inputs, ...rejectsOf(report)] });
  writeOutput(page, await reportHtml(report, { quotes }));
}

function writeJson(report: Report, file: string, inputs: readonly string[]): void {
  if (isStdout(file)) {
    print(jsonText(report));
    return;
  }
  const named = nameWithRun(file, report.run);
  checkOutput({ path: named, what: 'report' }, { inputs: [...inputs, ...rejectsOf(report)] });
  writeOutput(named, `${jsonText(report)}\n`);
}

/** Rejects may hold corrections by now. */
function rejectsOf({ rejects }: Report): readonly string[] {
  return rejects.flatMap(({ file, reasons }) => [file, reasons]);
}
