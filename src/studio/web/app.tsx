/** The page: a header with the file, the mapping's state and the sample's figures, then one of four screens. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { printable } from '../../model/text.js';
import { HealthStrip } from './health-strip.js';
import { Button, Notices, untrusted } from './parts.js';
import { SaveButton, SaveDialog } from './save-dialog.js';
import { CheckScreen } from './screens/check-screen.js';
import { MapScreen } from './screens/map-screen.js';
import { RecordsScreen } from './screens/records-screen.js';
import { SourceScreen } from './screens/source-screen.js';
import { screenAddress, useAddress } from './session/address.js';
import {
  type MappingSession,
  SessionContext,
  useNewSession,
  useSession,
} from './session/use-session.js';
import { ChangedFile, hasStatePage, StatePage } from './state-page.js';

const SCREENS = {
  Source: SourceScreen,
  Map: MapScreen,
  Records: RecordsScreen,
  Check: CheckScreen,
};

function App() {
  const session = useNewSession();
  useTitle(session);
  useLeaveWarning(session.isOpen && !session.isSaved);
  useKeys(session);
  return (
    <SessionContext.Provider value={session}>
      {hasStatePage(session) ? <StatePage /> : <Page />}
    </SessionContext.Provider>
  );
}

function Page() {
  const { failures, isSaving } = useSession();
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
        <ChangedFile />
        <Notices of={failures} />
        <Screen key={String(address)} />
      </main>
      {isSaving && <SaveDialog />}
    </>
  );
}

function Header() {
  const { source, mapping, isSaved, isOpen, mistakes, evaluation, ...session } = useSession();
  const errors = mistakes.filter(({ severity }) => severity === 'error').length;
  const questions = evaluation.answer?.questions ?? [];
  const first = screenAddress('Map', { field: questions[0]?.field ?? '' });
  return (
    <header>
      <h1>{source.answer === undefined ? 'Mapping studio' : untrusted(source.answer.name)}</h1>
      <p>
        {mapping !== undefined && untrusted(mapping.name)}
        {isOpen && <b class="state">{isSaved ? 'saved' : 'not saved'}</b>}
        {errors > 0 && <b class="state wrong">{errors} wrong</b>}
        {questions.length > 0 && (
          <a class="state todo" href={first}>
            {questions.length} to do
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

/** Names the file in the tab, with a dot while there is something to save. */
function useTitle({ source, isOpen, isSaved }: MappingSession): void {
  const name = source.answer?.name;
  const dot = isOpen && !isSaved ? '• ' : '';
  useEffect(() => {
    document.title = `${dot}${name === undefined ? '' : `${printable(name)} – `}Mapping studio`;
  }, [name, dot]);
}

function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: Event): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}

/** Handles Ctrl-S, Ctrl-Z and Ctrl-Y for the mapping's text wherever the focus is. */
function useKeys(session: MappingSession): void {
  const latest = useRef(session);
  latest.current = session;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = keyAction(event, latest.current);
      if (act === undefined || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}

function keyAction(event: KeyboardEvent, session: MappingSession): (() => void) | undefined {
  const { shiftKey, ctrlKey, metaKey, altKey, target } = event;
  const { isSaved, undo, redo, setSaving } = session;
  const key = event.key.toLowerCase();
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (key === 's') return () => setSaving(!isSaved);
  // Input fields have an undo history of their own.
  const isInput = target instanceof Element && target.matches('input');
  return isInput ? undefined : { z: shiftKey ? redo : undo, y: redo }[key];
}

render(<App />, document.body);
