/** The mapping's text with its undo history, and the edits that the text doesn't have yet. */
import type { MappingChange } from '../../../index.js';
import type { StudioAnswer } from '../../answers.js';
import type { RequestBodies } from '../../requests.js';
import type { ShownRecord } from '../../wire.js';

/** An edit as the page makes it. */
interface Edit extends Omit<RequestBodies['edit'], 'text'> {
  /** Changes to show until the server answers; default: `changes`. */
  readonly shown?: readonly MappingChange[];
}

/** An edit, or one that depends on the mapping, parsed, as all edits before leave it. */
export type EditOf = Edit | ((written: unknown) => Edit);

export interface History {
  /** `undefined` until loaded. */
  readonly text: string | undefined;
  readonly past: readonly string[];
  /** What Redo returns to: texts, and edits that were undone before they were made, or that failed. */
  readonly future: readonly (string | EditOf)[];
  /** Edits that the text doesn't have yet, in their order. */
  readonly pending: readonly EditOf[];
  /** Results of the edits since there were none pending. */
  readonly outcomes: readonly EditOutcome[];
  /** Whether the latest step was Undo. */
  readonly isUndone: boolean;
  /** Time of the last typed edit, epoch milliseconds; 0 if the last edit wasn't typed. */
  readonly typedAt: number;
}

/** The server's answer to an edit, or why it failed. */
export type EditOutcome = StudioAnswer<'edit'> | { readonly failure: string };

/** An edit, and the text that it is made to. */
type Attempt = { readonly edit: EditOf; readonly text: string };

/** Pause in typing after which the next edit is a new undo step. */
const TYPING_MS = 800;
const MAX_UNDO_STEPS = 500;

export function opened(text?: string): History {
  return { text, past: [], future: [], pending: [], outcomes: [], isUndone: false, typedAt: 0 };
}

/** @param isTyped edits within {@link TYPING_MS} form one undo step */
export function withText(history: History, text: string, isTyped: boolean): History {
  if (text === history.text) return history;
  const now = isTyped ? Date.now() : 0;
  const continues = isTyped && now - history.typedAt < TYPING_MS;
  const past = continues
    ? history.past
    : [...history.past, history.text ?? ''].slice(-MAX_UNDO_STEPS);
  return { ...history, text, past, future: [], outcomes: [], isUndone: false, typedAt: now };
}

export function withEdit(history: History, edit: EditOf): History {
  const { pending, outcomes } = history;
  return {
    ...history,
    future: [],
    pending: [...pending, edit],
    outcomes: pending.length === 0 ? [] : outcomes,
    isUndone: false,
  };
}

/**
 * Takes the outcome of the next edit, unless it was undone, or the text was changed, meanwhile. Redo
 * tries an edit again that failed.
 */
export function withOutcome(history: History, attempt: Attempt, outcome: EditOutcome): History {
  const [edit, ...pending] = history.pending;
  if (edit !== attempt.edit || history.text !== attempt.text) return history;
  const isFailure = 'failure' in outcome;
  return {
    ...(isFailure ? history : withText(history, outcome.text, false)),
    future: isFailure ? [edit, ...history.future] : history.future,
    pending,
    outcomes: [...history.outcomes, outcome],
  };
}

export function undone(history: History): History {
  const { text = '', past, future, pending } = history;
  const step = { ...history, outcomes: [], isUndone: true, typedAt: 0 };
  if (pending.length > 0) {
    return { ...step, pending: pending.slice(0, -1), future: [...pending.slice(-1), ...future] };
  }
  if (past.length === 0) return history;
  return { ...step, text: past.at(-1), past: past.slice(0, -1), future: [text, ...future] };
}

export function redone(history: History): History {
  const { text = '', past, future, pending } = history;
  const [next, ...later] = future;
  const step = { ...history, future: later, outcomes: [], isUndone: false, typedAt: 0 };
  if (next === undefined) return history;
  if (typeof next !== 'string') return { ...step, pending: [...pending, next] };
  return { ...step, text: next, past: [...past, text] };
}

/** The mapping with the edits that its text doesn't have yet. */
export function shownMapping(written: unknown, pending: readonly EditOf[]): unknown {
  return pending.reduce<unknown>((before, edit) => {
    const { changes = [], shown = changes } = typeof edit === 'function' ? edit(before) : edit;
    return shown.reduce(withChange, before);
  }, written);
}

/**
 * The record in view, as the latest edit makes it until the sample is evaluated.
 * @param wanted the record's number; `undefined` for the first with a document
 */
export function shownRecord(
  { text, outcomes }: History,
  evaluated: { readonly text: string; readonly shown: ShownRecord | null } | undefined,
  wanted: number | undefined,
): ShownRecord | null | undefined {
  const made = outcomes.at(-1);
  if (made === undefined || 'failure' in made || evaluated?.text === text) return evaluated?.shown;
  const edited = made.text === text ? made.shown : null;
  // The user may have moved on while the edit was made.
  const known = [edited, evaluated?.shown];
  return known.find((one) => one?.place.record === wanted) ?? edited ?? evaluated?.shown;
}

function withChange(inner: unknown, { path: [key, ...path], value }: MappingChange): unknown {
  if (key === undefined) return value;
  const entries = new Map<string, unknown>(Object.entries(Object(inner)));
  const place = key === '-' ? `${entries.size}` : `${key}`;
  const changed = withChange(entries.get(place), { path, value });
  if (changed === undefined) entries.delete(place);
  else entries.set(place, changed);
  const isList = Array.isArray(inner) || key === '-' || typeof key === 'number';
  return isList ? [...entries.values()] : Object.fromEntries(entries);
}
