import type { ImportedDocument } from '../../../model/document.js';
import { option } from '../../../model/options.js';
import type { Problem } from '../../../model/record.js';
import { cut, displayWidth, paint, sign, type Terminal, wrap } from '../../../model/terminal.js';
import { printable } from '../../../model/text.js';
import { MAPPING_OPTIONS, PREVIEW_OPTIONS } from '../../../operations/option-table.js';
import type { PreviewedRecord, RuleUse } from '../../../operations/preview-documents.js';
import { type Command, defineCommand } from '../../command.js';
import type { OptionValues } from '../../options/flags.js';
import { INPUTS, recordOptions } from '../../options/run.js';
import { isUndated, printDateHint, printOpenQuestions } from '../../output/mapping-hints.js';
import { terminalOf } from '../../output/terminal-of.js';
import { log, print } from '../../print.js';

const PREVIEW_FLAGS = {
  ...MAPPING_OPTIONS,
  ...PREVIEW_OPTIONS,
  limit: option.integer('limit', 'Number of records to show', { short: 'n', min: 1, default: 5 }),
  json: option.boolean('json', 'One JSON object per line'),
} as const;

export const PREVIEW: Command = defineCommand({
  usage: 'preview <input..>',
  describe: 'Show records next to the documents they become; nothing is sent',
  positionals: INPUTS,
  options: PREVIEW_FLAGS,
  conflicts: [['record', 'invalid']],
  examples: [
    'preview reviews.csv -m mapping.yaml --limit 2',
    'preview reviews.csv -m mapping.yaml --record 3',
  ],
  run: runPreview,
});

async function runPreview(
  args: OptionValues<typeof PREVIEW_FLAGS> & OptionValues<typeof INPUTS>,
): Promise<number> {
  const { previewDocuments } = await import('../../../operations/preview-documents.js');
  const { record, invalid = false, limit = PREVIEW_FLAGS.limit.default } = args;
  const one = record === undefined ? {} : { record };
  const options = { ...recordOptions(args), ...one, invalid };
  const terminal = terminalOf(process.stdout);
  let shown = 0;
  let problems = 0;
  for await (const previewed of previewDocuments(options)) {
    if (args.json) print(JSON.stringify(previewed));
    else process.stdout.write(`${shown > 0 ? '\n' : ''}${previewText(previewed, terminal)}\n`);
    shown += 1;
    if (previewed.problems.length > 0) problems += 1;
    if (shown >= limit) break;
  }
  if (shown === 0 && invalid) log('No record is invalid.');
  if (!args.json) await printHints(args);
  return problems === 0 ? 0 : 1;
}

async function printHints({
  input,
  mapping,
  asOf,
}: OptionValues<typeof PREVIEW_FLAGS> & OptionValues<typeof INPUTS>): Promise<void> {
  await printOpenQuestions(mapping);
  if (!(await isUndated(mapping, asOf))) return;
  log('Relative dates are left out. To see them, add --as-of DATE.');
  await printDateHint(input);
}

/** Maximum number of characters of values that rules read; the record shows them in full. */
const MAX_VALUE_CHARACTERS = 60;
const MAX_NAME_WIDTH = 24;

/**
 * Formats a record, followed by its document. Each field has the rules that produced it.
 */
function previewText(previewed: PreviewedRecord, terminal: Terminal): string {
  const { place, record, skipped, document, problems, rules } = previewed;
  const line = place.line === null ? '' : `, line ${place.line}`;
  const values = document === null ? undefined : fieldValues(document, rules);
  const others = problems.filter(({ field }) => !values?.has(wholeField(field ?? '')));
  const title = printable(`── ${place.source}, record ${place.record}${line}`);
  return [
    paint(wrap(title, terminal, 3), 'bold', terminal),
    ...(record === null ? [] : ['record', ...recordLines(record, terminal)]),
    ...(skipped ? [paint('skipped by the mapping', 'mixed', terminal)] : []),
    ...(values === undefined ? [] : ['document', ...documentLines(values, previewed, terminal)]),
    ...others.map((problem) => problemLine(problem, 2, terminal)),
  ].join('\n');
}

/**
 * Formats one field a line, cut to the terminal. JSON escapes control characters, so no text can
 * control the terminal.
 */
function recordLines(record: object, terminal: Terminal): string[] {
  const width = widthOf(Object.keys(record));
  return Object.entries(record).map(([key, value]) =>
    fieldLine(key, inJson(value), width, terminal),
  );
}

function fieldLine(name: string, value: string, width: number, terminal: Terminal): string {
  const label = `  ${printable(name).padEnd(width)}  `;
  const room = Math.max(MIN_VALUE_WIDTH, terminal.width - displayWidth(label));
  return `${paint(label, 'dim', terminal)}${cut(value, room)}`;
}

const MIN_VALUE_WIDTH = 8;

/** Values of a document by field; `undefined` where rules produced none. */
function fieldValues(
  document: ImportedDocument,
  rules: readonly RuleUse[],
): ReadonlyMap<string, unknown> {
  const values = new Map(entries(document));
  for (const { field } of rules) {
    const whole = wholeField(field);
    if (!values.has(whole)) values.set(whole, undefined);
  }
  return values;
}

/** Lists metrics and annotations individually, as each has a rule in the mapping. */
function entries({ author = {}, metrics = [], ...fields }: ImportedDocument): [string, unknown][] {
  const { annotations = [], ...texts } = author;
  return [
    ...Object.entries(fields),
    ...metrics.map(({ name, value }): [string, unknown] => [`metrics.${name}`, value]),
    ...Object.entries(texts).map(([name, value]): [string, unknown] => [`author.${name}`, value]),
    ...annotations.map(({ name, value }): [string, unknown] => [
      `author.annotations.${name}`,
      value,
    ]),
  ];
}

/** Maps the fields of several rules to the list that they form. */
function wholeField(field: string): string {
  return /^(?:tags|detectedLocations)\b/u.exec(field)?.[0] ?? field;
}

function documentLines(
  values: ReadonlyMap<string, unknown>,
  { rules, problems }: PreviewedRecord,
  terminal: Terminal,
): string[] {
  const width = widthOf([...values.keys()]);
  return [...values].flatMap(([field, value]) => {
    const uses = rules.filter((use) => wholeField(use.field) === field);
    const own = problems.filter((problem) => wholeField(problem.field ?? '') === field);
    return [
      fieldLine(field, value === undefined ? '(no value)' : inJson(value), width, terminal),
      ...uses.map((use) => {
        const line = `    ← ${ruleLine(use, field)}`;
        return paint(wrap(line, terminal, 6), 'dim', terminal);
      }),
      ...own.map((problem) => problemLine(problem, 4, terminal)),
    ];
  });
}

function ruleLine({ field, rule, columns }: RuleUse, whole: string): string {
  const read = Object.entries(columns).map(
    ([name, value]) => `${printable(name)} ${shortened(inJson(value))}`,
  );
  const part = field === whole ? '' : `${field}: `;
  return `${printable(part + rule)}${read.length === 0 ? '' : ` (${read.join(', ')})`}`;
}

function problemLine({ field, message }: Problem, indent: number, terminal: Terminal): string {
  const text = `${field === null ? '' : `${field}: `}${printable(message)}`;
  return wrap(`${' '.repeat(indent)}${sign('bad', terminal)} ${text}`, terminal, indent + 2);
}

function widthOf(names: readonly string[]): number {
  return Math.min(MAX_NAME_WIDTH, Math.max(0, ...names.map((name) => name.length)));
}

function inJson(value: unknown): string {
  return printable(JSON.stringify(value) ?? '');
}

function shortened(text: string): string {
  return text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text;
}
