/** The mapping's text, which is all that the page changes, with what it was before. */
import { useReducer } from 'preact/hooks';

/** The text, and how to change it. */
export interface EditedText {
  /** `undefined`: not known yet. */
  readonly text: string | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Starts with a text, before which there was none. */
  open(text: string): void;
  /** @param typed several of these within a moment are one step */
  set(text: string, typed?: 'typed'): void;
  undo(): void;
  redo(): void;
}

interface History {
  readonly text: string | undefined;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** When the last letter was typed. */
  readonly typedAt: number;
}

type Step = (history: History) => History;

const TYPING_MS = 800;
const MAX_STEPS = 500;
const START: History = { text: undefined, past: [], future: [], typedAt: 0 };

export function useText(): EditedText {
  const [history, step] = useReducer((before: History, take: Step) => take(before), START);
  const { text, past, future } = history;
  return {
    text,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    open: (opened) => step(() => ({ ...START, text: opened })),
    set: (changed, typed) => step((before) => withText(before, changed, typed === 'typed')),
    undo: () => step(undone),
    redo: () => step(redone),
  };
}

function withText(history: History, text: string, isTyped: boolean): History {
  if (text === history.text) return history;
  const now = isTyped ? Date.now() : 0;
  const goesOn = isTyped && now - history.typedAt < TYPING_MS;
  const past = goesOn ? history.past : [...history.past, history.text ?? ''].slice(-MAX_STEPS);
  return { text, past, future: [], typedAt: now };
}

function undone({ text = '', past, future }: History): History {
  const before = past.at(-1);
  if (before === undefined) return { text, past, future, typedAt: 0 };
  return { text: before, past: past.slice(0, -1), future: [text, ...future], typedAt: 0 };
}

function redone({ text = '', past, future }: History): History {
  const [after, ...later] = future;
  if (after === undefined) return { text, past, future, typedAt: 0 };
  return { text: after, past: [...past, text], future: later, typedAt: 0 };
}
