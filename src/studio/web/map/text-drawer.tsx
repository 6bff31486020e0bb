/** The mapping's text, below the fields and the record, on demand. */
import type { JSX } from 'preact';
import type { MappingSession } from '../session/use-session.js';
import { YamlEditor } from '../yaml-editor.js';

interface DrawerProps {
  readonly session: MappingSession;
  /** Key to show; empty for the top, `undefined` while the drawer is closed. */
  readonly line: string | undefined;
  show(line: string | undefined): void;
}

export function TextDrawer({ session, line, show }: DrawerProps): JSX.Element {
  const { text, mistakes } = session;
  const isOpen = line !== undefined;
  return (
    <section class="drawer" aria-label="The mapping’s text">
      <button
        type="button"
        class="plain drawer-button"
        aria-expanded={isOpen}
        onClick={() => show(isOpen ? undefined : '')}
      >
        Mapping text
      </button>
      {isOpen ? (
        <YamlEditor
          text={text}
          mistakes={mistakes}
          start={line}
          type={(typed) => session.set(typed, 'typed')}
        />
      ) : null}
    </section>
  );
}
