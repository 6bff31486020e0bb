/** Changes a draft so that its optional fields make no record of the sample invalid. */
import type { Rule, RuleObject } from '../mapping/mapping.js';
import { count } from '../model/figures.js';
import { type Checked, checkText, type FieldFailure } from './check-sample.js';
import { type Draft, missingFields, unusedColumns } from './draft-mapping.js';
import { isOptional } from './propose/roles.js';
import { type DraftField, dottedName, FIELDS } from './rules/draft.js';
import { writeMapping } from './write-mapping.js';

/** Reads optional fields only where their rules can; leaves out those that fail even so. */
export function keepValid(draft: Draft): { readonly draft: Draft; readonly checked: Checked } {
  const checked = checkText(writeMapping(draft), draft.sample);
  const failing = draft.fields.filter((field) => failureOf(field, checked) !== undefined);
  if (failing.length === 0) return { draft, checked };
  const dropped = failing.filter(({ rule }) => typeof rule === 'object' && rule.onError);
  const fields = draft.fields
    .filter((field) => !dropped.includes(field))
    .map((field) => leniently(field, checked));
  return keepValid({
    ...draft,
    fields,
    missing: missingFields(fields.map(dottedName)),
    leftOut: unusedColumns(draft.context, fields),
    sample: withRemarks(draft, dropped),
  });
}

/** Why a field that a document may lack makes records invalid; `undefined` if it doesn't. */
function failureOf(field: DraftField, { failures }: Checked): FieldFailure | undefined {
  const name = dottedName(field);
  if (!isOptional(FIELDS[name]?.role)) return undefined;
  return failures.get(field.path[0] === 'tags' ? 'tags' : name);
}

function leniently(field: DraftField, tried: Checked): DraftField {
  const failure = failureOf(field, tried);
  if (failure === undefined) return field;
  const some = `${failure.count} of ${count(tried.read, 'record')}`;
  return {
    ...field,
    rule: readableOnly(field.rule),
    confidence: field.confidence === 'high' ? 'medium' : field.confidence,
    evidence: `${field.evidence}; left out of ${some}: ${failure.message}`,
  };
}

/** Changes a rule to give nothing where it can't read the value. */
export function readableOnly(rule: Rule): RuleObject {
  const read: RuleObject = typeof rule === 'object' ? rule : { text: String(rule) };
  return { ...read, else: read.else ? readableOnly(read.else) : '', onError: 'else' };
}

function withRemarks({ sample }: Draft, dropped: readonly DraftField[]): Draft['sample'] {
  const remarks = dropped.map(
    (field) => `No ${dottedName(field)}, which would make records invalid: ${field.evidence}.`,
  );
  return { ...sample, remarks: [...sample.remarks, ...remarks] };
}
