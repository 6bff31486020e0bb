/** State shared by all screens: the source file, the mapping's text, and what the server reports about them. */
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Guess, MappingChange, MappingMistake } from '../../../index.js';
import type {
  CheckAnswer,
  GuessAnswer,
  MappingAnswer,
  SavedMapping,
  SourceAnswer,
} from '../../wire.js';
import { AnswerError, ask, type RequestState, useAnswer } from './ask.js';
import { inputOf } from './mapping-fields.js';

export interface MappingSession extends Omit<EditedText, 'text' | 'open'> {
  /** The mapping's text; empty until loaded. */
  readonly text: string;
  /** Whether the text has been loaded. */
  readonly isOpen: boolean;
  readonly mapping: MappingAnswer | undefined;
  /** The mapping file as last read or written. */
  readonly saved: SavedMapping | null;
  readonly isSaved: boolean;
  setSaved(saved: SavedMapping | null): void;
  readonly source: RequestState<SourceAnswer>;
  readonly guess: Guess | undefined;
  /** The guessed mapping, parsed, to find out which rules are unchanged. */
  readonly guessed: unknown;
  readonly mistakes: readonly MappingMistake[];
  /** The text parsed as YAML, or its last version that could be parsed. */
  readonly written: unknown;
  /** Changes one value of the text. */
  change(change: MappingChange): Promise<void>;
  /** Messages of what failed. */
  readonly failures: readonly string[];
}

export function useSession(): MappingSession {
  const { text, open, ...edited } = useText();
  const [saved, setSaved] = useState<SavedMapping | null>(null);
  const [editFailures, setEditFailures] = useState<readonly string[]>([]);
  const mapping = useAnswer<MappingAnswer>(
    (signal) => ask('/api/mapping', { method: 'GET', signal }),
    [],
  );
  const guess = useAnswer<GuessAnswer>((signal) => ask('/api/guess', { body: {}, signal }), []);
  const check = useChecked(text);
  const guessed = useChecked(guess.answer?.guess.mapping);
  const source = useSource(text, check.written);
  // Once, when both have answered.
  useEffect(() => {
    if (text !== undefined || mapping.waiting) return;
    const found = mapping.answer?.saved ?? null;
    setSaved(found);
    if (found !== null) open(found.text);
    else if (!guess.waiting) open(guess.answer?.guess.mapping ?? '');
  }, [mapping, guess]);
  const requestFailures = [mapping.refused, guess.refused].flatMap((one) =>
    one ? [one.message] : [],
  );
  return {
    ...edited,
    text: text ?? '',
    isOpen: text !== undefined,
    mapping: mapping.answer,
    saved,
    isSaved: saved?.text === text,
    setSaved,
    source,
    guess: guess.answer?.guess,
    guessed: guessed.written,
    mistakes: check.mistakes,
    written: check.written,
    change,
    failures: [...requestFailures, ...editFailures],
  };

  async function change(one: MappingChange): Promise<void> {
    try {
      const answer = await ask<{ text: string }>('/api/edit', { body: { text, change: one } });
      setEditFailures([]);
      edited.set(answer.text);
    } catch (error) {
      setEditFailures([error instanceof AnswerError ? error.message : String(error)]);
    }
  }
}

const NO_MISTAKES: CheckAnswer['mistakes'] = [];

/** Checks and parses a mapping's text. */
function useChecked(text: string | undefined): {
  readonly mistakes: CheckAnswer['mistakes'];
  readonly written: unknown;
} {
  const load =
    text === undefined
      ? undefined
      : (signal: AbortSignal) => ask<CheckAnswer>('/api/check', { body: { text }, signal });
  const { answer } = useAnswer(load, [text]);
  const written = useRef<unknown>(null);
  if (answer !== undefined && answer.written !== null) written.current = answer.written;
  return { mistakes: answer?.mistakes ?? NO_MISTAKES, written: written.current };
}

/** Reads the source with the mapping's input options, and again only when those change. */
function useSource(text: string | undefined, written: unknown): RequestState<SourceAnswer> {
  const stamp = useRef('');
  const load =
    text === undefined
      ? undefined
      : (signal: AbortSignal) =>
          ask<SourceAnswer>('/api/source', {
            method: 'PUT',
            body: { text, stamp: stamp.current || undefined },
            signal,
          });
  const known = useAnswer(load, [text === undefined, JSON.stringify(inputOf(written))]);
  stamp.current = known.answer?.stamp ?? '';
  return known;
}

/** The mapping's text with its undo history. */
interface EditedText {
  /** `undefined` until loaded. */
  readonly text: string | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Sets the text and clears the history. */
  open(text: string): void;
  /** @param typed edits within {@link TYPING_MS} form one undo step */
  set(text: string, typed?: 'typed'): void;
  undo(): void;
  redo(): void;
}

interface History {
  readonly text: string | undefined;
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** Time of the last typed edit, epoch milliseconds; 0 if the last edit wasn't typed. */
  readonly typedAt: number;
}

type Step = (history: History) => History;

/** Pause in typing after which the next edit is a new undo step. */
const TYPING_MS = 800;
const MAX_UNDO_STEPS = 500;
const EMPTY_HISTORY: History = { text: undefined, past: [], future: [], typedAt: 0 };

function useText(): EditedText {
  const [history, step] = useReducer((before: History, take: Step) => take(before), EMPTY_HISTORY);
  const { text, past, future } = history;
  return {
    text,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    open: (opened) => step(() => ({ ...EMPTY_HISTORY, text: opened })),
    set: (changed, typed) => step((before) => withText(before, changed, typed === 'typed')),
    undo: () => step(undone),
    redo: () => step(redone),
  };
}

function withText(history: History, text: string, isTyped: boolean): History {
  if (text === history.text) return history;
  const now = isTyped ? Date.now() : 0;
  const continues = isTyped && now - history.typedAt < TYPING_MS;
  const past = continues
    ? history.past
    : [...history.past, history.text ?? ''].slice(-MAX_UNDO_STEPS);
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
