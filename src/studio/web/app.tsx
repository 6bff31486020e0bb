/** The page: a header with the file, the mapping's state and the sample's figures, then one of four screens. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { printable } from '../../model/text.js';
import { HealthStrip } from './health-strip.js';
import { HelpButton } from './help-dialog.js';
import { Notices, UntrustedText } from './parts.js';
import { SaveDialog } from './save-dialog.js';
import { CheckScreen } from './screens/check-screen.js';
import { MapScreen } from './screens/map-screen.js';
import { RecordsScreen } from './screens/records-screen.js';
import { SourceScreen } from './screens/source-screen.js';
import { screenAddress, useAddress } from './session/address.js';
import { useRun } from './session/use-run.js';
import { type MappingSession, useSession } from './session/use-session.js';
import { useServerWatch } from './session/watch-server.js';
import { ChangedFile, hasStatePage, StatePage } from './state-page.js';

const SCREENS = ['Source', 'Map', 'Records', 'Check'] as const;
type Screen = (typeof SCREENS)[number];

export function App(): JSX.Element {
  const session = useSession();
  const address = useAddress();
  const screen = SCREENS.find((name) => name === address.get('screen')) ?? 'Map';
  const [saving, setSaving] = useState(false);
  const run = useRun();
  const server = useServerWatch();
  useTitle(session);
  useLeaveWarning(session.isOpen && !session.isSaved);
  useKeys(session, () => setSaving(true));
  const screens: Readonly<Record<Screen, () => JSX.Element>> = {
    Source: () => <SourceScreen session={session} />,
    Map: () => <MapScreen session={session} address={address} />,
    Records: () => <RecordsScreen session={session} address={address} />,
    Check: () => <CheckScreen session={session} run={run} save={() => setSaving(true)} />,
  };
  if (hasStatePage({ session, server })) return <StatePage session={session} server={server} />;
  return (
    <>
      <Header session={session} save={() => setSaving(true)} />
      <nav aria-label="Screens">
        {SCREENS.map((name) => (
          <a
            key={name}
            href={screenAddress(name)}
            aria-current={name === screen ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <HealthStrip session={session} />
      <main class={screen.toLowerCase()}>
        <ChangedFile session={session} server={server} />
        <Notices of={session.failures} />
        {screens[screen]()}
      </main>
      {saving ? <SaveDialog session={session} close={() => setSaving(false)} /> : null}
    </>
  );
}

function Header({
  session,
  save,
}: {
  readonly session: MappingSession;
  save(): void;
}): JSX.Element {
  const { source, mapping, isSaved, isOpen, mistakes, evaluation } = session;
  const errors = mistakes.filter(({ severity }) => severity === 'error').length;
  const questions = evaluation.answer?.questions ?? [];
  return (
    <header>
      <h1>
        {source.answer === undefined ? (
          'Mapping studio'
        ) : (
          <UntrustedText value={source.answer.name} />
        )}
      </h1>
      <p>
        {mapping === undefined ? '' : <UntrustedText value={mapping.name} />}
        {isOpen ? <b class="state">{isSaved ? 'saved' : 'not saved'}</b> : null}
        {errors > 0 ? <b class="state wrong">{errors} wrong</b> : null}
        {questions.length === 0 ? null : (
          <a class="state todo" href={screenAddress('Map', { field: questions[0]?.field ?? '' })}>
            {questions.length} to do
          </a>
        )}
      </p>
      <div class="actions">
        <HelpButton />
        <button type="button" disabled={!session.canUndo} onClick={session.undo}>
          Undo
        </button>
        <button type="button" disabled={!session.canRedo} onClick={session.redo}>
          Redo
        </button>
        <button type="button" class="first" disabled={!isOpen || isSaved} onClick={save}>
          Save…
        </button>
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

/** Handles Ctrl-S, Ctrl-Z and Ctrl-Y for the mapping's text, wherever the focus is. */
function useKeys(session: MappingSession, save: () => void): void {
  const latest = useRef({ session, save });
  latest.current = { session, save };
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const act = keyAction(event, latest.current.session, latest.current.save);
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, []);
}

function keyAction(
  { key, shiftKey, target }: KeyboardEvent,
  session: MappingSession,
  save: () => void,
): (() => void) | undefined {
  // Input fields have an undo history of their own.
  if (target instanceof HTMLInputElement && key.toLowerCase() !== 's') return undefined;
  if (document.querySelector('dialog[open]') !== null) return undefined;
  switch (key.toLowerCase()) {
    case 's':
      return session.isSaved ? () => {} : save;
    case 'z':
      return shiftKey ? session.redo : session.undo;
    case 'y':
      return session.redo;
    default:
      return undefined;
  }
}
