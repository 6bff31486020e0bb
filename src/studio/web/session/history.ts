/** The mapping's text with its undo history, as plain data. */

export interface History {
  /** `undefined` until loaded. */
  readonly text: string | undefined;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** Time of the last typed edit, epoch milliseconds; 0 if the last edit wasn't typed. */
  readonly typedAt: number;
}

/** Pause in typing after which the next edit is a new undo step. */
const TYPING_MS = 800;
const MAX_UNDO_STEPS = 500;

export function opened(text?: string): History {
  return { text, past: [], future: [], typedAt: 0 };
}

/** @param isTyped edits within {@link TYPING_MS} form one undo step */
export function withText(history: History, text: string, isTyped: boolean): History {
  if (text === history.text) return history;
  const now = isTyped ? Date.now() : 0;
  const continues = isTyped && now - history.typedAt < TYPING_MS;
  const past = continues
    ? history.past
    : [...history.past, history.text ?? ''].slice(-MAX_UNDO_STEPS);
  return { text, past, future: [], typedAt: now };
}

export function undone({ text = '', past, future }: History): History {
  const later = past.length === 0 ? future : [text, ...future];
  return { text: past.at(-1) ?? text, past: past.slice(0, -1), future: later, typedAt: 0 };
}

export function redone({ text = '', past, future }: History): History {
  const earlier = future.length === 0 ? past : [...past, text];
  return { text: future[0] ?? text, past: earlier, future: future.slice(1), typedAt: 0 };
}
