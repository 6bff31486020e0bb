/** Pages shown instead of the screens while the server or the file isn't there, and what is read again. */
import { Button, Input } from './controls.js';
import { CopiedCommand, CopyButton } from './parts.js';
import { InputOptions } from './screens/source-options.js';
import { type MappingSession, useSession } from './session/use-session.js';
import type { WatchedServer } from './session/watch-server.js';
import { untrusted } from './text.js';

/** Whether there is a page to show instead of the screens. */
export function hasStatePage({ source, isOpen }: MappingSession, server: WatchedServer): boolean {
  // Of a file that was read before, an option can be wrong for a moment.
  const isUnreadable = isOpen && source.answer === undefined && source.refused !== undefined;
  return server.state !== 'answers' || isUnreadable;
}

export function StatePage({ server }: { server: WatchedServer }) {
  const session = useSession();
  const { title, text, command, next } = contentOf(session, server);
  return (
    <main class="state-page">
      <section class="panel">
        <h1>{title}</h1>
        <p>{untrusted(text)}</p>
        {server.state === 'refused' && <AddressForm />}
        {server.state === 'answers' && <InputOptions />}
        {command !== undefined && <CopiedCommand command={command} />}
        {next !== undefined && <p role="status">{next}</p>}
        {session.isOpen && server.state !== 'answers' && <Rescue />}
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

function contentOf(session: MappingSession, server: WatchedServer): StateContent {
  const command = session.mapping?.commands.studio ?? 'docferry studio FILE';
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
        command,
      };
    case 'stopped':
      return {
        title: 'The studio has stopped',
        text: 'Nothing answers at this address any more. To start it again, run in a terminal:',
        command: `${command} --port ${location.port}`,
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
function AddressForm() {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        location.assign(event.currentTarget.querySelector('input')?.value.trim() ?? '');
      }}
    >
      <Input
        label="Address that the command printed"
        required
        pattern="\s*http:\S+#token=\S+\s*"
        title="The whole address, to the end of its token"
        autocomplete="off"
      />
      <Button text="Open" type="submit" class="first" />
    </form>
  );
}

/** Offers the mapping's text, so that no change is lost with the page. */
function Rescue() {
  const { text, mapping, isSaved } = useSession();
  const download = (): void => {
    const href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
    const name = mapping?.name ?? 'mapping.yaml';
    Object.assign(document.createElement('a'), { href, download: name }).click();
    URL.revokeObjectURL(href);
  };
  return (
    <div class="rescue">
      <p>
        {isSaved
          ? 'The mapping is saved.'
          : 'The mapping has changes that are not saved. They stay in this page as long as it is open. To be safe, take a copy.'}
      </p>
      <div class="actions">
        <Button text="Download the mapping" onClick={download} />
        <CopyButton text={text} label="Copy its text" />
      </div>
    </div>
  );
}

/** Covers everything that was read again with one message. */
export function ChangedFile({ server }: { server: WatchedServer }) {
  const { source } = useSession();
  if (server.changedAt === undefined) return null;
  const at = new Date(server.changedAt).toLocaleTimeString();
  return (
    <div class="notices changed" role="status">
      <p>
        {untrusted(source.answer?.name)} changed on the disk. It was read again at {at}.
      </p>
      <Button text="Dismiss" onClick={server.dismiss} />
    </div>
  );
}
