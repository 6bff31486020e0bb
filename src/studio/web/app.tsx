/** The page: a header with the file, the mapping's state and the sample's figures, then one of four screens. */
import { type RefObject, render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MappingChange } from '../../index.js';
import { fileWord, printable } from '../../model/text.js';
import { Button, counted, figure, Notices, untrusted } from './parts.js';
import { SaveButton, SaveDialog } from './save-dialog.js';
import { CheckScreen } from './screens/check-screen.js';
import { MapScreen } from './screens/map-screen.js';
import { RecordsScreen } from './screens/records-screen.js';
import { SourceScreen } from './screens/source-screen.js';
import { screenAddress, useAddress } from './session/address.js';
import type { EditOutcome } from './session/history.js';
import { labelOf } from './session/mapping-fields.js';
import {
  type Effect,
  type MappingSession,
  SessionContext,
  useNewSession,
  useSession,
} from './session/use-session.js';
import { hasStatePage, StatePage } from './state-page.js';

const SCREENS = {
  Source: SourceScreen,
  Map: MapScreen,
  Records: RecordsScreen,
  Check: CheckScreen,
};

function App() {
  const session = useNewSession();
  useTitle(session);
  const isImporting = session.run.state === 'running' && session.run.job === 'import';
  useLeaveWarning(isImporting || (session.isOpen && !session.isSaved));
  useKeys(session);
  return (
    <SessionContext.Provider value={session}>
      {hasStatePage(session) ? <StatePage /> : <Page />}
    </SessionContext.Provider>
  );
}

function Page() {
  const { failures, isSaving, isOpen, evaluation } = useSession();
  const isTried = evaluation.answer !== undefined || evaluation.refused !== undefined;
  const address = useAddress();
  const named = address.get('screen') ?? '';
  const current = Object.hasOwn(SCREENS, named) ? (named as keyof typeof SCREENS) : 'Map';
  const Screen = SCREENS[current];
  return (
    <>
      <Header />
      <nav aria-label="Screens">
        {Object.keys(SCREENS).map((name) => (
          <a
            key={name}
            href={screenAddress(name)}
            aria-current={name === current ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <HealthStrip />
      <main class={current.toLowerCase()}>
        <Notices of={failures} />
        <DroppedFile />
        <EditNotes />
        {isOpen && isTried ? <Screen key={String(address)} /> : <Loading />}
      </main>
      {isSaving && <SaveDialog />}
    </>
  );
}

/** What the studio does until there is something to show. */
function Loading() {
  const { isOpen, source } = useSession();
  const step = isOpen ? 'Trying the mapping on' : 'Finding out what is in';
  return (
    <section class="panel loading" role="status">
      <p>
        {step} the first records of {untrusted(source.answer?.name ?? 'the file')}. This may take
        some seconds.
      </p>
      <progress aria-label="Loading" />
    </section>
  );
}

const OWN_FILE = 'a browser doesn’t say where a file is. In its folder, run in a terminal:';

/** Says why a file that is dropped on the page isn't opened; browsers would leave the page for it. */
function DroppedFile() {
  const [name, setName] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    const take = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      if (event.type === 'drop') setName(event.dataTransfer.files[0]?.name);
    };
    for (const type of ['dragover', 'drop'] as const) addEventListener(type, take, ending);
    return () => ending.abort();
  }, []);
  if (name === undefined) return null;
  const command = `docferry studio ${fileWord(name)}`;
  return <Notices of={[`${name} was not opened: ${OWN_FILE} ${command}`]} />;
}

function Header() {
  const { source, mapping, isSaved, isOpen, mistakes, openQuestions, ...session } = useSession();
  const errors = mistakes.filter(({ severity }) => severity === 'error').length;
  const first = screenAddress('Map', { field: openQuestions[0]?.field ?? '' });
  return (
    <header>
      <h1>{source.answer === undefined ? 'Mapping studio' : untrusted(source.answer.name)}</h1>
      <p>
        {mapping !== undefined && untrusted(mapping.name)}
        {isOpen && <b class="state">{isSaved ? 'saved' : 'not saved'}</b>}
        {errors > 0 && <b class="state wrong">{errors} wrong</b>}
        {openQuestions.length > 0 && (
          <a class="state todo" href={first}>
            {openQuestions.length} to do
          </a>
        )}
      </p>
      <div class="actions">
        <Button text="Undo" disabled={!session.canUndo} onClick={session.undo} />
        <Button text="Redo" disabled={!session.canRedo} onClick={session.redo} />
        <SaveButton />
      </div>
    </header>
  );
}

const MAX_EFFECTS = 4;

/** Figures of the sample under the current mapping, and what the last change did to them. */
function HealthStrip() {
  const { health, outcomes, evaluation, isEvaluated, isWrong, ...session } = useSession();
  const { failure = null, effect } = evaluation.answer ?? {};
  const { canUndo, isUndone, isSaved, undo } = session;
  const isNew = effect !== undefined && !isUndone && !isSaved;
  return (
    <section class="health" aria-label="The sample with this mapping">
      {health !== undefined && (
        <p aria-busy={!isEvaluated}>
          <a href={screenAddress('Records')}>
            {health.whole ? 'All' : 'The first'} {counted(health.sampled, 'record')}
          </a>
          {outcomes.map((outcome) => (
            <a
              key={outcome}
              class={health[outcome] > 0 ? outcome : ''}
              href={screenAddress('Records', { outcome })}
            >
              {figure(health[outcome])} {outcome}
            </a>
          ))}
        </p>
      )}
      <p role="status">
        {isWrong
          ? `The mapping has a mistake.${health ? ' The figures are those before it.' : ''}`
          : (failure ?? (isUndone ? undoneText(session) : isNew && effectText(effect)))}
      </p>
      {isNew && canUndo && <Button text="Undo" class="plain link" onClick={undo} />}
    </section>
  );
}

function undoneText({ changes }: Pick<MappingSession, 'changes'>): string {
  return `Undone. ${changes === 0 ? 'No change' : counted(changes, 'change')} before it.`;
}

/** For example `+20 invalid, −20 valid, language of 7 documents changed`. */
function effectText({ counts, changed }: Effect): string {
  const parts = [
    ...counts.map(({ name, by }) => `${by > 0 ? '+' : '−'}${figure(Math.abs(by))} ${name}`),
    ...Object.entries(changed).map(([field, n]) => `${field} of ${counted(n, 'document')} changed`),
  ];
  return parts.slice(0, MAX_EFFECTS).join(', ') || 'Changed. The documents stay the same.';
}

/** Names the file in the tab, with a dot while there is something to save. */
function useTitle({ source, isOpen, isSaved }: MappingSession): void {
  const name = source.answer?.name;
  const dot = isOpen && !isSaved ? '• ' : '';
  useEffect(() => {
    document.title = `${dot}${name === undefined ? '' : `${printable(name)} – `}Mapping studio`;
  }, [name, dot]);
}

/** Asks before the page is left with changes that are not saved, a text that is being typed, or an import that leaving would interrupt. */
function useLeaveWarning(isNeeded: boolean): void {
  // Before the browser can ask: an effect would come after the next frame.
  useLayoutEffect(() => {
    const ending = new AbortController();
    let isTyping = false;
    const watch = (event: Event): void => {
      if (event.type !== 'beforeunload') isTyping = event.type === 'input';
      else if (isNeeded || isTyping) event.preventDefault();
    };
    for (const name of ['input', 'change', 'beforeunload']) addEventListener(name, watch, ending);
    return () => ending.abort();
  }, [isNeeded]);
}

/** Handles Ctrl-S, Ctrl-Z and Ctrl-Y for the mapping's text wherever the focus is. */
function useKeys(session: MappingSession): void {
  const latest = useRef(session);
  latest.current = session;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = keyAction(event, latest);
      if (act === undefined || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}

function keyAction(
  event: KeyboardEvent,
  latest: RefObject<MappingSession>,
): (() => void) | undefined {
  const { shiftKey, ctrlKey, metaKey, altKey, target } = event;
  const { undo, redo } = latest.current;
  const key = event.key.toLowerCase();
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (key === 's') return () => openSaving(latest);
  // Fields to type in have an undo history of their own.
  const isInput =
    target instanceof Element && target.matches('input:not([type=radio], [type=checkbox])');
  return isInput ? undefined : { z: shiftKey ? redo : undo, y: redo }[key];
}

/** Opens the dialog that saves, once the session has what was typed. */
function openSaving(latest: RefObject<MappingSession>): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) {
    // Fields write when they are left.
    activeElement.blur();
    activeElement.focus();
  }
  setTimeout(() => latest.current.setSaving(!latest.current.isSaved));
}

render(<App />, document.body);

/** What the latest edits did beyond what was asked for, or why they weren't made. */
function EditNotes() {
  const { editOutcomes } = useSession();
  return <Notices of={[...new Set(editOutcomes.flatMap(notesOf))]} />;
}

function notesOf(outcome: EditOutcome): readonly string[] {
  if ('failure' in outcome) {
    return [`An edit was not made. ${outcome.failure} To try again, press Redo.`];
  }
  const { also, refusal, dropped } = outcome;
  return [
    ...(refusal === null ? [] : [`${refusal} Nothing was changed.`]),
    ...(also.length === 0 ? [] : [`Also changed: ${[...new Set(also.map(partOf))].join(', ')}.`]),
    ...dropped.map((ask) => `No longer asked, because the mapping has changed: ${ask}`),
  ];
}

/** Names the part of the mapping that changed with a field. */
function partOf({ path: [top, field] }: MappingChange): string {
  return top === 'document' ? labelOf(String(field)) : 'Records left out';
}
