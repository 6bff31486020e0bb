/** Pages shown instead of the screens while the server or the file isn't there, and what is read again. */
import type { JSX } from 'preact';
import { CopiedCommand, CopyButton, UntrustedText } from './parts.js';
import { InputOptions } from './screens/source-options.js';
import type { MappingSession } from './session/use-session.js';
import type { WatchedServer } from './session/watch-server.js';

interface StateProps {
  readonly session: MappingSession;
  readonly server: WatchedServer;
}

/** Whether there is a page to show instead of the screens. */
export function hasStatePage({ session, server }: StateProps): boolean {
  return server.state !== 'answers' || isUnreadable(session);
}

/** Whether the file has never been read: an option can be wrong for a moment. */
function isUnreadable({ source, isOpen }: MappingSession): boolean {
  return isOpen && source.answer === undefined && source.refused !== undefined;
}

export function StatePage(props: StateProps): JSX.Element {
  const { session, server } = props;
  const { title, text, command, next } = contentOf(props);
  return (
    <main class="state-page">
      <section class="panel">
        <h1>{title}</h1>
        <p>
          <UntrustedText value={text} />
        </p>
        {server.state === 'refused' ? <AddressForm /> : null}
        {server.state === 'answers' ? <InputOptions session={session} source={undefined} /> : null}
        {command === undefined ? null : <CopiedCommand command={command} />}
        {next === undefined ? null : <p role="status">{next}</p>}
        {session.isOpen && server.state !== 'answers' ? <Rescue session={session} /> : null}
      </section>
    </main>
  );
}

interface StateContent {
  readonly title: string;
  /** The event, and the way out. */
  readonly text: string;
  readonly command?: string;
  /** How the page continues by itself. */
  readonly next?: string;
}

function contentOf({ session, server }: StateProps): StateContent {
  const command = session.mapping?.commands.studio;
  switch (server.state) {
    case 'refused':
      if (session.isOpen) {
        return {
          title: 'The studio was started again',
          text: 'Its address is new. Paste the one that it printed, and this page continues where you left it.',
        };
      }
      return {
        title: 'This address doesn’t open the studio',
        text: 'It lacks the right token, which is new with each start. Copy the whole address from the terminal where the studio runs, and paste it here. If the studio no longer runs, start it with the command below.',
        command: 'docferry studio FILE',
      };
    case 'stopped':
      return {
        title: 'The studio has stopped',
        text: 'Nothing answers at this address any more. To start it again, run in a terminal:',
        command: `${command ?? 'docferry studio FILE'} --port ${location.port}`,
        next: 'This page tries again by itself.',
      };
    case 'missing':
      return {
        title: 'The file is gone',
        text: server.message,
        next: 'Once it is back, this page continues by itself.',
      };
    case 'answers':
      return {
        title: 'The file can’t be read',
        text: `${session.source.refused?.message}\nOr state here how to read it. The mapping notes your choice.`,
        next: 'Once the file has changed, return to this page: it is read again.',
      };
  }
}

/** Takes a pasted address. One of the same port only changes the token: the page stays as it is. */
function AddressForm(): JSX.Element {
  return (
    <form
      class="options"
      onSubmit={(event) => {
        event.preventDefault();
        location.assign(event.currentTarget.querySelector('input')?.value.trim() ?? '');
      }}
    >
      <label class="wide">
        Address that the command printed
        <input
          type="text"
          required
          pattern="\s*http:\S+#token=\S+\s*"
          title="The whole address, to the end of its token"
          autocomplete="off"
        />
      </label>
      <button type="submit" class="first">
        Open
      </button>
    </form>
  );
}

/** Offers the mapping's text, so that no change is lost with the page. */
function Rescue({ session: { text, mapping, isSaved } }: Pick<StateProps, 'session'>): JSX.Element {
  return (
    <div class="rescue">
      <p>
        {isSaved
          ? 'The mapping is saved.'
          : 'The mapping has changes that are not saved. They stay in this page as long as it is open. To be safe, take a copy.'}
      </p>
      <div class="actions">
        <button type="button" onClick={() => download(mapping?.name ?? 'mapping.yaml', text)}>
          Download the mapping
        </button>
        <CopyButton text={text}>Copy its text</CopyButton>
      </div>
    </div>
  );
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** Covers everything that was read again with one message. */
export function ChangedFile({ session, server }: StateProps): JSX.Element | null {
  if (server.changedAt === undefined) return null;
  return (
    <div class="notices changed" role="status">
      <p>
        <UntrustedText value={session.source.answer?.name} /> changed on the disk. It was read again
        at {new Date(server.changedAt).toLocaleTimeString()}.
      </p>
      <button type="button" onClick={server.dismiss}>
        Dismiss
      </button>
    </div>
  );
}
