/** State shared by all screens: the source file, the mapping's text, and what the server reports about them. */
import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { Guess, MappingChange, MappingMistake } from '../../../index.js';
import type {
  ColumnFigures,
  ColumnsAnswer,
  Evaluation,
  GuessAnswer,
  Health,
  MappingAnswer,
  SavedMapping,
  SourceAnswer,
} from '../../wire.js';
import { AnswerError, ask, type RequestState, useAnswer } from './ask.js';
import { type History, opened, redone, undone, withText } from './history.js';
import { inputOf } from './mapping-fields.js';
import { useServer } from './server.js';

export interface MappingSession {
  /** The mapping's text; empty until loaded. */
  readonly text: string;
  /** Whether the text has been loaded. */
  readonly isOpen: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** @param typed edits in quick succession form one undo step */
  set(text: string, typed?: 'typed'): void;
  undo(): void;
  redo(): void;
  /** Makes changes to the text as one undo step. */
  change(...changes: readonly MappingChange[]): Promise<void>;
  /** Answers a question with changes, or with none if it's right as it is. */
  answer(line: number, changes: readonly MappingChange[]): Promise<void>;
  readonly mapping: MappingAnswer | undefined;
  /** The mapping file as last read or written. */
  readonly saved: SavedMapping | null;
  readonly isSaved: boolean;
  setSaved(saved: SavedMapping | null): void;
  readonly source: RequestState<SourceAnswer>;
  /** Names that rules can use, with their values. */
  readonly columns: readonly ColumnFigures[];
  readonly guess: Guess | undefined;
  /** The guessed mapping, parsed, to find out which rules are unchanged. */
  readonly guessed: unknown;
  readonly evaluation: RequestState<EvaluatedText>;
  readonly mistakes: readonly MappingMistake[];
  /** The mapping has mistakes with which it can't run. */
  readonly isWrong: boolean;
  /** The text parsed as YAML, or its last version that could be parsed. */
  readonly written: unknown;
  /** Figures of the sample; of an earlier text while the current one has mistakes. */
  readonly health: Health | undefined;
  /** The document fields that use a column, by column. */
  readonly usedBy: Evaluation['usedBy'];
  /** Number of the record shown on the map screen; `undefined` for the first with a document. */
  readonly record: number | undefined;
  showRecord(record: number): void;
  /** Messages of what failed. */
  readonly failures: readonly string[];
}

/** An evaluation, and how the sample's outcomes differ from those of the text before. */
export interface EvaluatedText extends Evaluation {
  readonly text: string;
  readonly effect: Effect | undefined;
}

/** Differences in the numbers of records by outcome, and of documents with a field. */
export type Effect = readonly { readonly name: string; readonly by: number }[];

export const OUTCOMES = ['valid', 'invalid', 'skipped', 'duplicate'] as const;

export const SessionContext = createContext({} as MappingSession);

export function useSession(): MappingSession {
  return useContext(SessionContext);
}

/** Opens the mapping on the disk, or else a guessed one. */
export function useNewSession(): MappingSession {
  const [{ text, past, future }, step] = useReducer(take, opened());
  const [saved, setSaved] = useState<SavedMapping | null>(null);
  const [record, showRecord] = useState<number>();
  const { state } = useServer();
  const mapping = useAnswer<MappingAnswer>((signal) => ask('/api/mapping', { signal }), []);
  const guess = useAnswer<GuessAnswer>((signal) => ask('/api/guess', { body: {}, signal }), []);
  const { evaluation, written, health } = useEvaluation(text, record);
  const source = useSource(text, written);
  const edits = useEdits(text, (edited) => step((before) => withText(before, edited, false)));
  // Once, when both have answered.
  useEffect(() => {
    if (text !== undefined || mapping.waiting) return;
    const found = mapping.answer?.saved ?? null;
    setSaved(found);
    if (found !== null) step(() => opened(found.text));
    // The guess is repeated once the server and the file are there.
    else if (!guess.waiting && state === 'answers') {
      step(() => opened(guess.answer?.guess.mapping ?? ''));
    }
  }, [mapping, guess]);
  const requestFailures = [mapping.refused, guess.refused].flatMap((one) => one?.message ?? []);
  const mistakes = evaluation.answer?.mistakes ?? [];
  return {
    text: text ?? '',
    isOpen: text !== undefined,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    set: (changed, typed) => step((before) => withText(before, changed, typed === 'typed')),
    undo: () => step(undone),
    redo: () => step(redone),
    change: (...changes) => edits.send({ changes }),
    answer: (dismiss, changes) => edits.send({ changes, dismiss }),
    mapping: mapping.answer,
    saved,
    isSaved: saved?.text === text,
    setSaved,
    source: source.file,
    columns: source.columns,
    guess: guess.answer?.guess,
    guessed: useGuessed(guess.answer?.guess.mapping),
    evaluation,
    mistakes,
    isWrong: mistakes.some(({ severity }) => severity === 'error'),
    written,
    health,
    usedBy: evaluation.answer?.usedBy ?? {},
    record,
    showRecord,
    failures: [...requestFailures, ...edits.failures],
  };
}

function take(before: History, step: (history: History) => History): History {
  return step(before);
}

/** Evaluates the text and, as long as it has mistakes, keeps what is known of an earlier one. */
function useEvaluation(
  text: string | undefined,
  record: number | undefined,
): Pick<MappingSession, 'evaluation' | 'written' | 'health'> {
  const last = useRef<EvaluatedText>(undefined);
  const [written, health] = [useRef<unknown>(null), useRef<Health>(undefined)];
  const load = async (signal: AbortSignal): Promise<EvaluatedText> => {
    const body = { text, ...(record && { record }) };
    const answer = await ask<Evaluation>('/api/evaluate', { body, signal });
    const isSame = last.current?.text === text;
    const effect = isSame ? last.current?.effect : effectOf(health.current, answer.health);
    const { shown = null, usedBy = {} } = answer.health === null ? (last.current ?? {}) : answer;
    written.current = answer.written ?? written.current;
    health.current = answer.health ?? health.current;
    last.current = { ...answer, shown, usedBy, text: text ?? '', effect };
    return last.current;
  };
  const evaluation = useAnswer(text === undefined ? undefined : load, [text, record]);
  return { evaluation, written: written.current, health: health.current };
}

function effectOf(before: Health | undefined, after: Health | null): Effect | undefined {
  if (before === undefined || after === null) return undefined;
  const [old, now] = [countsOf(before), countsOf(after)];
  return Object.keys({ ...now, ...old })
    .map((name) => ({ name, by: (now[name] ?? 0) - (old[name] ?? 0) }))
    .filter(({ by }) => by !== 0);
}

function countsOf(health: Health): Readonly<Record<string, number>> {
  const filled = health.fields.map((one) => [`with ${one.field}`, one.filled]);
  return Object.fromEntries([...OUTCOMES.map((name) => [name, health[name]]), ...filled]);
}

/** Parses the guessed mapping. */
function useGuessed(text: string | undefined): unknown {
  const load = (signal: AbortSignal): Promise<Evaluation> =>
    ask('/api/evaluate', { body: { text }, signal });
  return useAnswer(text === undefined ? undefined : load, [text]).answer?.written;
}

/** Reads the source and its columns with the mapping's input options, and again only when those change. */
function useSource(text: string | undefined, written: unknown) {
  const load = (signal: AbortSignal): Promise<SourceAnswer> =>
    ask('/api/source', { method: 'PUT', body: { text }, signal });
  const on = [text === undefined, JSON.stringify(inputOf(written))];
  const file = useAnswer(text === undefined ? undefined : load, on);
  const loadColumns = (signal: AbortSignal): Promise<ColumnsAnswer> =>
    ask('/api/columns', { body: { text }, signal });
  const { answer } = useAnswer(file.answer && loadColumns, [file.answer]);
  return { file, columns: answer?.columns ?? [] };
}

interface Edit {
  readonly changes: readonly MappingChange[];
  /** Line of a question. */
  readonly dismiss?: number;
}

/** Sends edits one after the other, so that each is made to the text that the one before left. */
function useEdits(text: string | undefined, set: (text: string) => void) {
  const [failures, setFailures] = useState<readonly string[]>([]);
  const latest = useRef('');
  const queue = useRef(Promise.resolve());
  latest.current = text ?? '';
  const make = async (edit: Edit): Promise<void> => {
    try {
      const body = { text: latest.current, ...edit };
      latest.current = (await ask<{ text: string }>('/api/edit', { body })).text;
      setFailures([]);
      set(latest.current);
    } catch (error) {
      setFailures([error instanceof AnswerError ? error.message : String(error)]);
    }
  };
  const send = (edit: Edit): Promise<void> => {
    queue.current = queue.current.then(() => make(edit));
    return queue.current;
  };
  return { failures, send };
}
