/** The page: a header with the file, the mapping's state and the sample's figures, then one of four screens. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { printable } from '../../model/text.js';
import { Button } from './controls.js';
import { HealthStrip } from './health-strip.js';
import { HelpDialog } from './help-dialog.js';
import { Notices } from './parts.js';
import { SaveDialog } from './save-dialog.js';
import { CheckScreen } from './screens/check-screen.js';
import { MapScreen } from './screens/map-screen.js';
import { RecordsScreen } from './screens/records-screen.js';
import { SourceScreen } from './screens/source-screen.js';
import { screenAddress, useAddress } from './session/address.js';
import { useRun } from './session/use-run.js';
import {
  type MappingSession,
  SessionContext,
  useNewSession,
  useSession,
} from './session/use-session.js';
import { useServerWatch } from './session/watch-server.js';
import { ChangedFile, hasStatePage, StatePage } from './state-page.js';
import { untrusted } from './text.js';

const SCREENS = ['Source', 'Map', 'Records', 'Check'] as const;

type OpenDialog = 'save' | 'help' | undefined;

export function App() {
  const session = useNewSession();
  const server = useServerWatch();
  const run = useRun();
  const [dialog, open] = useState<OpenDialog>();
  const close = () => open(undefined);
  const save = () => open('save');
  const address = useAddress();
  const screen = SCREENS.find((name) => name === address.get('screen')) ?? 'Map';
  useTitle(session);
  useLeaveWarning(session.isOpen && !session.isSaved);
  useKeys(session, open);
  const screens = {
    Source: () => <SourceScreen />,
    Map: () => <MapScreen />,
    Records: () => <RecordsScreen />,
    Check: () => <CheckScreen run={run} save={save} />,
  };
  const page = hasStatePage(session, server) ? (
    <StatePage server={server} />
  ) : (
    <>
      <Header open={open} />
      <nav aria-label="Screens">
        {SCREENS.map((name) => (
          <a href={screenAddress(name)} aria-current={name === screen ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <HealthStrip />
      <main class={screen.toLowerCase()}>
        <ChangedFile server={server} />
        <Notices of={session.failures} />
        {screens[screen]()}
      </main>
      {dialog === 'save' && <SaveDialog close={close} />}
      {dialog === 'help' && <HelpDialog close={close} />}
    </>
  );
  return <SessionContext.Provider value={session}>{page}</SessionContext.Provider>;
}

function Header({ open }: { open(dialog: OpenDialog): void }) {
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
        <Button
          text="?"
          class="help"
          aria-label="Help"
          title="Help (?)"
          onClick={() => open('help')}
        />
        <Button text="Undo" disabled={!session.canUndo} onClick={session.undo} />
        <Button text="Redo" disabled={!session.canRedo} onClick={session.redo} />
        <Button
          text="Save…"
          class="first"
          disabled={!isOpen || isSaved}
          onClick={() => open('save')}
        />
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

/** Handles Ctrl-S, Ctrl-Z and Ctrl-Y for the mapping's text wherever the focus is, and the key for help. */
function useKeys(session: MappingSession, open: (dialog: OpenDialog) => void): void {
  const latest = useRef(session);
  latest.current = session;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = keyAction(event, latest.current, open);
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
  { key, shiftKey, ctrlKey, metaKey, altKey, target }: KeyboardEvent,
  { isSaved, undo, redo }: MappingSession,
  open: (dialog: OpenDialog) => void,
): (() => void) | undefined {
  const isIn = (selector: string) => target instanceof Element && target.matches(selector);
  if (key === '?' && !isIn('input, select, textarea')) return () => open('help');
  if (!(ctrlKey || metaKey) || altKey) return undefined;
  if (key.toLowerCase() === 's') return () => open(isSaved ? undefined : 'save');
  // Input fields have an undo history of their own.
  if (isIn('input')) return undefined;
  return { z: shiftKey ? redo : undo, y: redo }[key.toLowerCase()];
}
