import type { Context, Script } from 'node:vm';
import vm from 'node:vm';
import { luxon } from '../mapping/dates/zones.js';
import { stripHtml } from '../mapping/steps/strip-html.js';
import { detectLanguage, takeInterruptedExpression } from '../mapping/steps/text.js';
import type { Problem } from '../model/record.js';
import { compileValidation, type ValidateDocument } from '../validation/schemas.js';
import { invalidRecord } from './custom-mapper.js';
import type { TransformPlan, TransformRecord } from './transform-record.js';

/** Time limit of a chunk, which usually takes 20 ms; beyond it, its records run one by one. */
const CHUNK_MS = 400;
/** Time limit of a record; one of 1 MiB takes some 50 ms. */
const RECORD_MS = 250;
/** Number of records that get a second attempt, because the machine may have paused. */
const SECOND_CHANCES = 3;

/**
 * Limits the time that regular expressions of a mapping or a schema take. Some backtrack almost
 * endlessly on harmless-looking texts, which can't be predicted.
 */
export class ExpressionGuard {
  /** Whether there are expressions; not for a function, which is never interrupted. */
  readonly #isNeeded: boolean;
  #chances = SECOND_CHANCES;

  /** Loads the packages that the mapping needs, outside of any time box. */
  constructor({
    mapping: { document, skip },
    validation,
    factory,
  }: Pick<TransformPlan, 'mapping'> & Partial<Pick<TransformPlan, 'validation' | 'factory'>>) {
    const written = JSON.stringify([document, skip, validation?.schema]);
    const hasExpressions = /"(?:match|matches|replace|pattern|patternProperties)":/.test(written);
    this.#isNeeded = hasExpressions && typeof factory !== 'function';
    if (!this.#isNeeded) return;
    const rules = JSON.stringify(document);
    if (rules.includes('"detect":')) detectLanguage('a');
    if (rules.includes('"strip":')) stripHtml('&amp;');
    if (rules.includes('"date":')) luxon();
  }

  /**
   * Runs `work` on many records at once; if that takes too long, repeats it with a time limit for
   * each record.
   */
  run<T>(transformRecord: TransformRecord, work: (transform: TransformRecord) => T): T {
    if (!this.#isNeeded) return work(transformRecord);
    const done = runWithTimeout(CHUNK_MS, () => work(transformRecord));
    return done === TIMED_OUT ? work(this.oneByOne(transformRecord)) : done;
  }

  /** Wraps a transform so that records that take too long become invalid. */
  oneByOne(transformRecord: TransformRecord): TransformRecord {
    return (value) => this.oneRecord(() => transformRecord(value), invalidRecord);
  }

  /** Runs work on one record within the time limit; beyond it, returns `instead`. */
  oneRecord<T>(work: () => T, instead: (problem: Problem) => T): T {
    if (!this.#isNeeded) return work();
    for (;;) {
      const done = runWithTimeout(RECORD_MS, work);
      if (done !== TIMED_OUT) return done;
      if (this.#chances === 0) break;
      this.#chances -= 1;
    }
    return instead(tooSlow(takeInterruptedExpression()));
  }
}

/**
 * Compiles validation with its own time limit for documents made by a function, which itself is
 * never interrupted.
 */
export function guardedValidation(plan: TransformPlan): ValidateDocument {
  const validate = compileValidation(plan.validation);
  if (typeof plan.factory !== 'function') return validate;
  const guard = new ExpressionGuard({ ...plan, factory: undefined });
  return (document) =>
    guard.oneRecord(
      () => validate(document),
      (problem) => [problem],
    );
}

function tooSlow(expression: string | undefined): Problem {
  const which =
    expression === undefined
      ? 'an expression of the mapping or a pattern of the schema takes'
      : `the expression ${JSON.stringify(expression)} takes`;
  const message = `${which} longer than ${RECORD_MS} ms on this record; rewrite it so that there is only one way to match a text (unlike (a+)+), or shorten the text first`;
  return { kind: 'slow-expression', field: null, message };
}

export const TIMED_OUT: unique symbol = Symbol('ran over');

/**
 * Shared context of a thread: creating one per call would cost small inputs more than their
 * records.
 */
let box: { readonly place: Context; readonly call: Script } | undefined;

/**
 * Runs work with a time limit, by `node:vm`, the only way to interrupt a running regular
 * expression. Work may be interrupted anywhere, so it must not do anything that can't be left half
 * done, for example load a package. Costs 0.1 ms.
 */
export function runWithTimeout<T>(milliseconds: number, work: () => T): T | typeof TIMED_OUT {
  box ??= { place: vm.createContext({ work: undefined }), call: new vm.Script('work()') };
  const { place, call } = box;
  place['work'] = work;
  try {
    return call.runInContext(place, { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TIMED_OUT;
    throw error;
  } finally {
    place['work'] = undefined;
  }
}
