/** What all screens work on: the file, the mapping's text, and what is known of both. */
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Guess, MappingChange, MappingMistake } from '../../../index.js';
import type {
  CheckAnswer,
  GuessAnswer,
  MappingAnswer,
  SavedMapping,
  SourceAnswer,
} from '../../wire.js';
import { AnswerError, type Answered, ask, useAnswer } from './ask.js';
import { inputOf } from './mapping-fields.js';

export interface MappingSession extends Omit<EditedText, 'text' | 'open'> {
  /** The mapping's text; empty until there is one. */
  readonly text: string;
  /** Whether there is a text yet. */
  readonly isOpen: boolean;
  /** The mapping file's name, and commands to copy. */
  readonly mapping: MappingAnswer | undefined;
  /** What is on the disk, as far as this page knows. */
  readonly saved: SavedMapping | null;
  readonly isSaved: boolean;
  keep(saved: SavedMapping | null): void;
  readonly source: Answered<SourceAnswer>;
  readonly guess: Guess | undefined;
  /** What the guessed mapping says, to tell what is as it was guessed. */
  readonly guessed: unknown;
  readonly mistakes: readonly MappingMistake[];
  /** What the text says, or said when it could last be read. */
  readonly written: unknown;
  /** Changes one value of the text. */
  change(change: MappingChange): Promise<void>;
  /** What could not be done. */
  readonly trouble: readonly string[];
}

export function useSession(): MappingSession {
  const { text, open, ...edited } = useText();
  const [saved, keep] = useState<SavedMapping | null>(null);
  const [trouble, setTrouble] = useState<readonly string[]>([]);
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
    keep(found);
    if (found !== null) open(found.text);
    else if (!guess.waiting) open(guess.answer?.guess.mapping ?? '');
  }, [mapping, guess]);
  const failures = [mapping.refused, guess.refused].flatMap((one) => (one ? [one.message] : []));
  return {
    ...edited,
    text: text ?? '',
    isOpen: text !== undefined,
    mapping: mapping.answer,
    saved,
    isSaved: saved?.text === text,
    keep,
    source,
    guess: guess.answer?.guess,
    guessed: guessed.written,
    mistakes: check.mistakes,
    written: check.written,
    change,
    trouble: [...failures, ...trouble],
  };

  async function change(one: MappingChange): Promise<void> {
    try {
      const answer = await ask<{ text: string }>('/api/edit', { body: { text, change: one } });
      setTrouble([]);
      edited.set(answer.text);
    } catch (error) {
      setTrouble([error instanceof AnswerError ? error.message : String(error)]);
    }
  }
}

const NO_MISTAKES: CheckAnswer['mistakes'] = [];

/** The mistakes of a text, and what it says. */
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

/** The file as the mapping says that it is read; read again only if it says something else. */
function useSource(text: string | undefined, written: unknown): Answered<SourceAnswer> {
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

/** The text, and how to change it. */
interface EditedText {
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

function useText(): EditedText {
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
