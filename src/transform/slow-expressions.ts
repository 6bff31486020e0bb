import type { Context, Script } from 'node:vm';
import vm from 'node:vm';
import { luxon } from '../mapping/dates/zones.js';
import type { Mapping } from '../mapping/mapping.js';
import { stripHtml } from '../mapping/steps/strip-html.js';
import { detectLanguage, takeInterruptedExpression } from '../mapping/steps/text.js';
import type { Problem } from '../model/record.js';
import { compileValidation, type ValidateDocument } from '../validation/schemas.js';
import { invalidRecord } from './made-documents.js';
import type { TransformPlan, TransformRecord } from './transform-record.js';

/** A chunk takes some 20 ms; when it takes this long, its records are gone through one by one. */
const CHUNK_MS = 400;
/** A record of 1 MiB takes some 50 ms. */
const RECORD_MS = 250;
/** A machine may stand still for a moment: at first a record gets a second chance. */
const SECOND_CHANCES = 3;

/** What may hold expressions. */
interface Guarded {
  readonly mapping: Mapping;
  readonly validation?: TransformPlan['validation'];
}

/**
 * Bounds the time that regular expressions of a mapping or a schema take. Some take longer than
 * anybody can wait for, on texts that look harmless; and nobody can say beforehand which.
 */
class ExpressionGuard {
  #chances = SECOND_CHANCES;

  /** @param mapping packages that it needs are loaded now, outside of any time box */
  constructor({ document }: Mapping) {
    const rules = JSON.stringify(document);
    if (rules.includes('"detect":')) detectLanguage('a');
    if (rules.includes('"strip":')) stripHtml('&amp;');
    if (rules.includes('"date":')) luxon();
  }

  /**
   * Runs `work` on many records at once; if that takes too long, once more with a function that
   * gives each record its own time.
   */
  run<T>(transformRecord: TransformRecord, work: (transform: TransformRecord) => T): T {
    const done = inTimeBox(CHUNK_MS, () => work(transformRecord));
    return done === RAN_OVER ? work(this.oneByOne(transformRecord)) : done;
  }

  /** The same function, but a record that takes too long becomes invalid. */
  oneByOne(transformRecord: TransformRecord): TransformRecord {
    return (value) => this.oneRecord(() => transformRecord(value), invalidRecord);
  }

  /** Runs work on one record for as long as a record may take; then something takes its place. */
  oneRecord<T>(work: () => T, instead: (problem: Problem) => T): T {
    for (;;) {
      const done = inTimeBox(RECORD_MS, work);
      if (done !== RAN_OVER) return done;
      if (this.#chances === 0) break;
      this.#chances -= 1;
    }
    return instead(tooSlow(takeInterruptedExpression()));
  }
}

/** A guard, if there is anything that may take too long. */
export function guardFor({ mapping, validation }: Guarded): ExpressionGuard | undefined {
  const written = JSON.stringify([mapping.document, mapping.skip, validation?.schema]);
  return /"(?:match|matches|replace|pattern|patternProperties)":/.test(written)
    ? new ExpressionGuard(mapping)
    : undefined;
}

/**
 * Validation in a time box of its own, for documents that a function makes: the function itself is
 * no expression, and nobody may end it.
 */
export function guardedValidation(plan: TransformPlan): ValidateDocument {
  const validate = compileValidation(plan.validation);
  const guard = typeof plan.maker === 'function' ? guardFor(plan) : undefined;
  if (guard === undefined) return validate;
  return (document) =>
    guard.oneRecord(
      () => validate(document),
      (problem) => [problem],
    );
}

/** For whoever goes from record to record: gives each its own time, if anything may take too long. */
export function timeBoxed(
  plan: TransformPlan,
): (transformRecord: TransformRecord) => TransformRecord {
  const guard = typeof plan.maker === 'function' ? undefined : guardFor(plan);
  return (transformRecord) => guard?.oneByOne(transformRecord) ?? transformRecord;
}

function tooSlow(expression: string | undefined): Problem {
  const which =
    expression === undefined
      ? 'an expression of the mapping or a pattern of the schema takes'
      : `the expression ${JSON.stringify(expression)} takes`;
  const message = `${which} longer than ${RECORD_MS} ms on this record; write it so that a text can be matched in one way only, which (a+)+ does not, or shorten the text before`;
  return { kind: 'slow-expression', field: null, message };
}

/** What a time box gives when the work took too long and was ended. */
export const RAN_OVER: unique symbol = Symbol('ran over');

/** A thread's place for boxes: a new one each time would cost a small input more than its records. */
let box: { readonly place: Context; readonly call: Script } | undefined;

/**
 * Runs work for a limited time. It is ended wherever it stands, even inside of a regular expression,
 * which nothing else can end: so it must leave nothing half done behind, such as a package that is
 * being loaded. To set it up takes a tenth of a millisecond.
 */
export function inTimeBox<T>(milliseconds: number, work: () => T): T | typeof RAN_OVER {
  box ??= { place: vm.createContext({ work: undefined }), call: new vm.Script('work()') };
  const { place, call } = box;
  place['work'] = work;
  try {
    return call.runInContext(place, { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return RAN_OVER;
    throw error;
  } finally {
    place['work'] = undefined;
  }
}
