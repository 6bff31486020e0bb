/** Explains why records are invalid, and how to fix them. */
import type { Mapping, RuleObject } from '../../mapping/mapping.js';
import { columnsText, flowYaml, mappingLine } from '../../mapping/mapping-text.js';
import { mainColumns, mappingRules, nestedRules, type PlacedRule } from '../../mapping/rules.js';
import { count, thousands } from '../../model/figures.js';
import type { Counts, ProblemKind } from '../../model/record.js';
import type { CauseFigures } from '../../outcomes/problem-tally.js';
import type { Cause, Report } from '../../report/report.js';
import { pathText } from '../../validation/explain-errors.js';
import { commonExplanation, type Explanation } from './common-explanation.js';
import { type SuggestedEdit, suggestEdits } from './suggest-edit.js';

export interface ExplainedRun extends Pick<Report, 'command'> {
  readonly counts: Counts;
  readonly mapping: Mapping;
  /** Columns that the mapping reads and no record has, each with the most similar key. */
  readonly absent: Readonly<Record<string, string>>;
  readonly inputs: readonly { readonly name: string }[];
}

/** Kinds that need no cure: the record was imported before. */
const NO_CAUSES: ReadonlySet<ProblemKind> = new Set(['duplicate', 'known']);
/** Share of records that makes the rule the culprit instead of the records. */
const NEARLY_ALL = 0.95;
const MAX_VALUES = 5;

/** Explains the causes of problems, sorted by the records that a fix brings. */
export async function explainCauses(
  figures: readonly CauseFigures[],
  run: ExplainedRun,
): Promise<readonly Cause[]> {
  const causes: Cause[] = [];
  for (const one of figures) {
    if (!NO_CAUSES.has(one.kind)) causes.push(await explainCause(one, run));
  }
  return causes;
}

async function explainCause(figures: CauseFigures, run: ExplainedRun): Promise<Cause> {
  const { kind, columns, records, onlyCause, fields, values, places } = figures;
  const rules = failingRules(figures, run.mapping);
  const lines = rules.flatMap(({ path }) => mappingLine(run.mapping, path) ?? []);
  const { message, remedy, fixedIn = ['mapping'] } = await explanationOf(figures, rules, run);
  return {
    kind,
    message,
    remedy,
    fixedIn,
    columns,
    fields,
    records,
    cures: onlyCause,
    values: values.slice(0, MAX_VALUES),
    mappingLines: [...new Set(lines)].toSorted((a, b) => a - b),
    places,
  };
}

/** The rules of the fields concerned; of nested rules, those that read the same columns. */
function failingRules(
  { columns, fields }: CauseFigures,
  { document, skip }: Mapping,
): readonly PlacedRule[] {
  const conditions = skip.map(({ from }, index) => ({ rule: { from }, path: ['skip', index] }));
  const rules = [...mappingRules({ document }), ...conditions].filter(({ path: [top, ...field] }) =>
    Object.hasOwn(fields, top === 'skip' ? top : pathText(field).replace(/\[\d+\]$/u, '')),
  );
  const same = rules
    .flatMap(({ rule, path }) => nestedRules(rule, path))
    .filter(({ rule }) => typeof rule === 'object' && areEqual(mainColumns(rule), columns));
  return columns.length > 0 && same.length > 0 ? same : rules;
}

function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

async function explanationOf(
  figures: CauseFigures,
  rules: readonly PlacedRule[],
  run: ExplainedRun,
): Promise<Explanation> {
  const {
    kind,
    columns,
    values,
    records,
    texts: [text],
  } = figures;
  const failing = { figures, rules, run, isRule: isNearlyAll(records, run) };
  if (kind === 'missing-field') return missingField(failing);
  if (kind === 'unlisted-value') return unlistedValues(failing);
  const expected = text?.expected;
  if (!RULE_FAILURES.has(kind) || columns.length === 0 || expected === undefined) {
    return commonExplanation(figures);
  }
  const rule = rules.map((placed) => placed.rule).find((one) => typeof one === 'object');
  const found = values.map(({ value }) => value);
  const suggested = await suggestEdits(
    { kind, rule: rule ?? {}, values: found, readsOthers: !failing.isRule },
    run.mapping,
  );
  if (suggested.length > 0) return suggestion(failing, suggested);
  return {
    message: `${columnsText(columns)} ${isNot(expected)}${failing.isRule ? inRecords(failing, 'any') : ''}`,
    ...(await fallback(failing, rule)),
  };
}

/** Denies what a rule expects: `isn't an ISO 8601 date`, `is neither an ISO 8601 date nor a valid date like d/M/yyyy`. */
function isNot(expected: readonly string[]): string {
  return expected.length > 1 ? `is neither ${expected.join(' nor ')}` : `isn't ${expected[0]}`;
}

interface FailingCause {
  readonly figures: CauseFigures;
  readonly rules: readonly PlacedRule[];
  readonly run: ExplainedRun;
  /** Whether (nearly) every record has the problem, so that the rule is wrong. */
  readonly isRule: boolean;
}

/** Kinds of failed steps: they are grouped and remedied by what the rule expects. */
const RULE_FAILURES: ReadonlySet<ProblemKind> = new Set([
  'unreadable-date',
  'unreadable-number',
  'out-of-scale',
]);

function suggestion(
  { figures, ...failing }: FailingCause,
  found: readonly SuggestedEdit[],
): Explanation {
  const { columns, values, records } = figures;
  const counted = values.reduce((sum, value) => sum + value.count, 0);
  // Only the first different values of a column are stored.
  const which =
    counted === records ? `All ${thousands(records)}` : `The first ${thousands(values.length)}`;
  const are = predicatesText(found);
  const message = failing.isRule
    ? `${which} values of ${columnsText(columns)} ${are}`
    : `${columnsText(columns)} has another form in some records: these values ${are}`;
  const edits = found.map(({ edit, when }) => `\`${edit}\`${when === '' ? '' : ` ${when}`}`);
  return { message, remedy: `use ${edits.join(', or ')}${placeText(failing)}` };
}

function predicatesText(found: readonly SuggestedEdit[]): string {
  const objects = new Map<string, Set<string>>();
  for (const {
    values: [predicate, object],
  } of found) {
    objects.set(predicate, (objects.get(predicate) ?? new Set()).add(object));
  }
  return [...objects]
    .map(([predicate, all]) => `${predicate} ${[...all].join(' or ')}`)
    .join(' or ');
}

/** Fields that the minimal profile requires, too. */
const ALWAYS_NEEDED: ReadonlySet<string> = new Set(['sourceId', 'text', 'skip']);

/** For values that no edit reads. */
async function fallback(
  failing: FailingCause,
  rule: RuleObject | undefined,
): Promise<Pick<Explanation, 'remedy' | 'fixedIn'>> {
  const { isPlaceholder } = await import('../../guess/notations/known-values.js');
  const place = placeText(failing);
  const texts = failing.figures.values.map(({ value }) => value);
  if (texts.length > 0 && texts.every(isPlaceholder)) {
    return { remedy: placeholderRemedy(texts, failing) };
  }
  if (failing.isRule) return { remedy: `map another column${place}` };
  return { remedy: `${valuesRemedy(failing, rule)}${place}`, fixedIn: ['export', 'mapping'] };
}

/** Corrects single values, or has the rule do without them. */
function valuesRemedy(failing: FailingCause, rule: RuleObject | undefined): string {
  const { records, fields } = failing.figures;
  const correct = records === 1 ? 'correct the value' : 'correct the values';
  const isNeeded =
    failing.run.mapping.profile !== 'minimal' ||
    Object.keys(fields).some((field) => ALWAYS_NEEDED.has(field));
  if (rule?.else !== undefined)
    return `${correct}, or add \`onError: else\` to the rule, so that its \`else\` is used`;
  // A required field, left blank, would be missing instead.
  return isNeeded
    ? `${correct}, or give the rule \`onError: else\`, and as \`else\` the value to use instead`
    : `${correct}, or add \`else: "", onError: else\` to the rule to leave the field out`;
}

/** Adds placeholders to the values that count as empty, and states where that applies. */
function placeholderRemedy(texts: readonly string[], failing: FailingCause): string {
  const nulls = [...new Set([...(failing.run.mapping.input?.nulls ?? []), ...texts])];
  return `\`nulls: ${flowYaml(nulls)}\` under \`input\` makes them empty in every column; a required field then needs an \`else\`${placeText(failing)}`;
}

/** Explains why a required field has no value. */
function missingField(failing: FailingCause): Explanation {
  const { figures, rules, run } = failing;
  const { columns, values, fields } = figures;
  const place = placeText(failing);
  const field = Object.keys(fields).join(', ');
  const rule = rules[0]?.rule;
  if (columns.length === 0) {
    const [{ message = '', reason = message, remedy = null } = {}] = figures.texts;
    return { message: rule === undefined ? `No rule gives ${field}` : reason, remedy };
  }
  const name = columnsText(columns);
  const absent = columns.find((column) => Object.hasOwn(run.absent, column));
  if (absent !== undefined && columns.length === 1) {
    const nearest = run.absent[absent] ?? '';
    const hint = nearest === '' ? '' : `; did you mean ${columnsText([nearest])}?`;
    return { message: `No record has ${name}${hint}`, remedy: `correct the name${place}` };
  }
  if (values.every(({ value }) => value === '')) {
    const are = columns.length > 1 ? 'are' : 'is';
    return failing.isRule
      ? {
          message: `${name} ${are} empty${inRecords(failing, 'every')}`,
          remedy: `map another column, or give the rule an \`else\`${place}`,
        }
      : {
          message: `${name} ${are} empty`,
          remedy: `give the rule an \`else\`${place}, or skip such records: ${skipText(columns, run.mapping)}`,
        };
  }
  const step = (['values', 'match', 'bands', 'detect', 'date'] as const).find(
    (key) => typeof rule === 'object' && rule[key] !== undefined,
  );
  const edit = step === 'values' ? 'add them to `values`' : 'correct the rule';
  return {
    message: `${STEP_WORDS[step ?? 'other'](name)}, so ${field} is missing`,
    remedy: `${edit}, or give it an \`else\`${place}`,
  };
}

function unlistedValues(failing: FailingCause): Explanation {
  const { columns, values } = failing.figures;
  const entries = values.slice(0, MAX_VALUES).map(({ value }) => `\`${flowYaml(value)}: …\``);
  return {
    message: `\`values\` doesn't list every value of ${columnsText(columns)}`,
    remedy: `add ${entries.join(', ')} to \`values\` (\`""\` for no value), or remove \`unlisted: invalid\`${placeText(failing)}`,
  };
}

/** Skips records in which all columns are blank, in addition to those that the mapping skips. */
function skipText(columns: readonly string[], { skip }: Mapping): string {
  const condition = flowYaml({ from: columns.length === 1 ? columns[0] : columns, blank: true });
  return skip.length > 0 ? `add \`${condition}\` to \`skip\`` : `\`skip: [${condition}]\``;
}

const STEP_WORDS = {
  values: (name: string) => `\`values\` has no entry for the value of ${name}`,
  match: (name: string) => `\`match\` finds nothing in ${name}`,
  bands: (name: string) => `${name} is below all \`bands\``,
  detect: (name: string) => `the language of ${name} isn't detected`,
  date: (name: string) => `the date in ${name} isn't used, because it is relative`,
  other: (name: string) => `the rule gets no value from ${name}`,
} as const;

/** Returns whether (nearly) every record that was mapped is among these. */
export function isNearlyAll(records: number, { counts }: Pick<ExplainedRun, 'counts'>): boolean {
  return records > 1 && records >= NEARLY_ALL * (counts.read - counts.skipped);
}

function inRecords(
  { figures: { records }, run: { counts } }: FailingCause,
  all: 'any' | 'every',
): string {
  const mapped = counts.read - counts.skipped;
  return records === mapped
    ? ` in ${all} record`
    : ` in ${thousands(records)} of ${count(mapped, 'record')}`;
}

export function placeText({
  rules,
  run: { mapping },
}: Pick<FailingCause, 'rules'> & { readonly run: Pick<ExplainedRun, 'mapping'> }): string {
  const lines = [...new Set(rules.flatMap(({ path }) => mappingLine(mapping, path) ?? []))];
  if (lines.length === 0) return '';
  return ` (mapping line${lines.length > 1 ? 's' : ''} ${lines.toSorted((a, b) => a - b).join(', ')})`;
}
