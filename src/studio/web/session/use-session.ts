/** State shared by all screens: the source file, the mapping's text, and what the server reports about them. */
import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { todosIn } from '../../../mapping/mapping-text.js';
import type { RequestBodies } from '../../requests.js';
import type { Evaluation, Health, MappingAnswer, Question, SavedMapping } from '../../wire.js';
import { AnswerError, ask, request, useAnswer } from './ask.js';
import {
  type EditOf,
  type EditOutcome,
  type History,
  opened,
  redone,
  shownMapping,
  shownRecord,
  undone,
  withEdit,
  withOutcome,
  withText,
} from './history.js';
import { inputOf } from './mapping-fields.js';
import { isAboutServer, repeatRequests, type Server, useServer } from './server.js';
import { useJob } from './use-job.js';

export type MappingSession = ReturnType<typeof useNewSession>;

/** An evaluation, and how the sample differs from that of the text before. */
export interface EvaluatedText extends Evaluation {
  readonly text: string;
  readonly asOf: string | undefined;
  readonly effect: Effect | undefined;
}

export interface Effect {
  /** Differences in the numbers of records by outcome, and of documents with a field. */
  readonly counts: readonly { readonly name: string; readonly by: number }[];
  readonly changed: Evaluation['changed'];
}

const OUTCOMES = ['valid', 'invalid', 'skipped', 'duplicate'] as const;

export const SessionContext = createContext({} as MappingSession);

export const useSession = (): MappingSession => useContext(SessionContext);

type Step = (history: History) => History;

/** Opens the mapping on the disk, or else a guessed one. */
export function useNewSession() {
  const { history, step, ...steps } = useHistory();
  const { text, pending, outcomes } = history;
  /** Texts as the server parsed them, so that one that returns is shown at once. */
  const { current: parsed } = useRef(new Map<string, unknown>());
  const written = useRef<unknown>(null);
  const [saved, setSaved] = useState<SavedMapping | null>(null);
  const [record, showRecord] = useState<number>();
  const [isSaving, setSaving] = useState(false);
  const [day, setDay] = useState('');
  const server = useServerWatch();
  const mapping = useAnswer<MappingAnswer>((signal) => request('/api/mapping', { signal }), []);
  const guess = useAnswer((signal) => ask('guess', {}, signal), []);
  const asOf = day || undefined;
  const evaluated = useEvaluation(text, { record, asOf });
  const { answer } = evaluated.evaluation;
  if (answer !== undefined) parsed.set(answer.text, answer.written);
  // A text that can't be parsed is shown as the one before.
  written.current = parsed.get(text ?? '') ?? written.current;
  const source = useSource(text, written.current);
  const shown = shownRecord(history, answer, record);
  useEdits(history, { parsed, about: { record: shown?.place.record, asOf } }, step);
  const openQuestions = unanswered(history, answer?.questions ?? []);
  // Once, when both have answered.
  useEffect(() => {
    if (text !== undefined || mapping.waiting) return;
    const found = mapping.answer?.saved ?? null;
    setSaved(found);
    if (found !== null) step(() => opened(found.text));
    // The guess is repeated once the server and the file are there.
    else if (!guess.waiting && server.state === 'answers') {
      step(() => opened(guess.answer?.guess.mapping ?? ''));
    }
  }, [mapping, guess]);
  return {
    /** The mapping's text; empty until loaded. */
    text: text ?? '',
    /** Whether the text has been loaded. */
    isOpen: text !== undefined,
    ...steps,
    /** Edits that the text doesn't have yet. */
    pending,
    /** Whether the figures of the sample are those of the text with all its edits. */
    isEvaluated: answer?.text === text && answer?.asOf === asOf && pending.length === 0,
    /** The record in view; `null` if there is none. */
    shown,
    /** Results of the latest edits. */
    editOutcomes: outcomes,
    /** The text parsed as YAML, or its last version that could be, with the pending edits. */
    written: shownMapping(written.current, pending),
    mapping: mapping.answer,
    /** The mapping file as last read or written; parsed if the server has. */
    saved,
    savedMapping: parsed.get(saved?.text ?? ''),
    isSaved: saved?.text === text && pending.length === 0,
    setSaved,
    /** The guess, with its mapping parsed, to find out which rules are unchanged. */
    guessed: guess.answer,
    /** Questions that the text asks and no pending edit answers. */
    openQuestions,
    ...source,
    ...evaluated,
    /** The day of this export, if it was said. The mapping doesn't have it, as it is for later ones, too. */
    asOf,
    /** Takes the day of the export, and with it the answer to the question about it. */
    setDay: (chosen: string) => {
      setDay(chosen);
      const asked = openQuestions.find(({ answers }) => answers[0]?.input === 'date');
      if (chosen !== '' && asked !== undefined) steps.edit({ dismiss: asked.todo });
    },
    /** The latest check, rehearsal or import. */
    run: useJob(),
    server,
    /** Whether the dialog that saves is open. */
    isSaving,
    setSaving,
    close: () => setSaving(false),
    /** Number of the record shown on the map screen; `undefined` for the first with a document. */
    record,
    showRecord,
    /** Messages of what failed. */
    failures: [mapping.refused, guess.refused].flatMap((one) => one?.message ?? []),
  };
}

/** The mapping's text with its history, and the steps that change it. */
function useHistory() {
  const [history, step] = useReducer((now: History, to: Step) => to(now), opened());
  const { past, future, pending, isUndone } = history;
  const changes = past.length + pending.length;
  return {
    history,
    step,
    /** Number of changes that can be undone. */
    changes,
    canUndo: changes > 0,
    /** Whether the latest step was Undo. */
    isUndone,
    canRedo: future.length > 0,
    /** @param typed edits in quick succession form one undo step */
    set: (changed: string, typed?: 'typed') =>
      step((before) => withText(before, changed, typed === 'typed')),
    undo: () => step(undone),
    redo: () => step(redone),
    /** Shows an edit at once, and makes it wherever the user is when the server answers. */
    edit: (edit: EditOf) => step((before) => withEdit(before, edit)),
  };
}

function unanswered({ text = '', pending }: History, questions: readonly Question[]) {
  const asked = todosIn(text).map((todo) => todo.text);
  const answered = pending.map((edit) => Object(edit).dismiss);
  return questions.filter(({ todo }) => asked.includes(todo) && !answered.includes(todo));
}

/** Interval of attempts while the server doesn't answer. */
const RETRY_MS = 1_500;

/** Looks at the server and at the file on the disk when the user returns, and while something is wrong. */
function useServerWatch(): Server {
  const server = useServer();
  const stamp = useRef<string>(undefined);
  const look = async (): Promise<void> => {
    // Errors are noted with each answer.
    const answer = await request<{ stamp: string }>('/api/stamp').catch(() => null);
    if (answer === null || answer.stamp === stamp.current) return;
    if (stamp.current !== undefined) repeatRequests();
    stamp.current = answer.stamp;
  };
  useEffect(() => {
    void look();
    const ending = new AbortController();
    // The address changes when a new token is pasted into it.
    for (const event of ['focus', 'hashchange']) addEventListener(event, look, ending);
    return () => ending.abort();
  }, []);
  useEffect(() => {
    if (server.state === 'answers') return;
    const timer = setInterval(look, RETRY_MS);
    return () => clearInterval(timer);
  }, [server.state]);
  return server;
}

/** Evaluates the text and, as long as it has mistakes, keeps what is known of an earlier one. */
function useEvaluation(loaded: string | undefined, { record, asOf }: EditContext['about']) {
  const text = loaded ?? '';
  const [last, tried] = [useRef<EvaluatedText>(undefined), useRef<EvaluatedText>(undefined)];
  const load = async (signal: AbortSignal): Promise<EvaluatedText> => {
    const body = { text, record, asOf, before: tried.current?.text };
    const answer = await ask('evaluate', body, signal);
    const known = last.current;
    const isSame = known?.text === text && known.asOf === asOf;
    const effect = isSame ? known.effect : effectOf(tried.current?.health, answer);
    const isKnown = answer.health === null && known !== undefined;
    const usedBy = isKnown && answer.missing.length === 0 ? known.usedBy : answer.usedBy;
    const isShown = isKnown && known.shown?.place.record === answer.shown?.place.record;
    const { shown } = isShown ? known : answer;
    last.current = { ...answer, shown, usedBy, text, asOf, effect };
    if (answer.health !== null) tried.current = last.current;
    return last.current;
  };
  const evaluation = useAnswer(loaded === undefined ? undefined : load, [loaded, record, asOf]);
  const { mistakes = [], usedBy = {} } = evaluation.answer ?? {};
  const health = tried.current?.health ?? undefined;
  return {
    evaluation,
    mistakes,
    /** The mapping has mistakes with which it can't run. */
    isWrong: mistakes.some(({ severity }) => severity === 'error'),
    /** Figures of the sample; of an earlier text while the current one has mistakes. */
    health,
    /** The outcomes to show. */
    outcomes: OUTCOMES.filter((one) => one !== 'duplicate' || (health?.duplicate ?? 0) > 0),
    /** The document fields that use a column, by column. */
    usedBy,
  };
}

function effectOf(before: Health | null | undefined, after: Evaluation): Effect | undefined {
  if (!before || after.health === null) return undefined;
  const [old, now] = [healthCounts(before), healthCounts(after.health)];
  const counts = Object.keys({ ...now, ...old })
    .map((name) => ({ name, by: (now[name] ?? 0) - (old[name] ?? 0) }))
    .filter(({ by }) => by !== 0);
  return { counts, changed: after.changed };
}

function healthCounts(health: Health): Readonly<Record<string, number>> {
  const filled = health.fields.map((one) => [`with ${one.field}`, one.filled]);
  return Object.fromEntries([...OUTCOMES.map((name) => [name, health[name]]), ...filled]);
}

/** Reads the source and its columns with the mapping's input options, and again only when those change. */
function useSource(text: string | undefined, written: unknown) {
  const input = JSON.stringify(inputOf(written));
  const isOpen = text !== undefined;
  const load = (signal: AbortSignal) => ask('source', { text: text ?? '' }, signal);
  const source = useAnswer(isOpen ? load : undefined, [isOpen, input]);
  const loadColumns = (signal: AbortSignal) => ask('columns', { text: text ?? '' }, signal);
  const { answer } = useAnswer(source.answer && loadColumns, [source.answer]);
  /** The columns are the names that rules can use, with their values. */
  return { source, columns: answer?.columns ?? [] };
}

interface EditContext {
  /** Texts as parsed, to which those of the edits are added. */
  readonly parsed: Map<string, unknown>;
  /** The record to show with an edit, and the day from which its dates count back. */
  readonly about: Pick<RequestBodies['edit'], 'record' | 'asOf'>;
}

/**
 * Requests are not aborted, and made again once a server that stopped is back: the history takes the
 * outcome of an edit that is still the next for its text, and no other.
 */
function useEdits(
  { text, pending: [edit] }: History,
  context: EditContext,
  step: (to: (history: History) => History) => void,
): void {
  const { version } = useServer();
  useEffect(() => {
    if (text === undefined || edit === undefined) return;
    const take = (outcome: EditOutcome) =>
      step((history) => withOutcome(history, { edit, text }, outcome));
    makeEdit(edit, text, context).then(take, (error: Error) => {
      const isWaiting = error instanceof AnswerError && isAboutServer(error.status);
      if (!isWaiting) take({ failure: error.message });
    });
  }, [text, edit, version]);
}

async function makeEdit(edit: EditOf, text: string, { parsed, about }: EditContext) {
  const read = async () => parsed.get(text) ?? (await ask('edit', { text })).written;
  const { shown: _, ...body } = typeof edit === 'function' ? edit(await read()) : edit;
  const answer = await ask('edit', { text, ...about, ...body });
  parsed.set(answer.text, answer.written);
  return answer;
}
