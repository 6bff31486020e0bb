/** Pages shown instead of the screens while the server or the file isn't there. */
import { CopiedCommand, CopyButton, untrusted } from './parts.js';
import { InputOptions } from './screens/source-options.js';
import { type MappingSession, useSession } from './session/use-session.js';

/** Whether there is a page to show instead of the screens. */
export function hasStatePage({ source, isOpen, server }: MappingSession): boolean {
  // Of a file that was read before, an option can be wrong for a moment.
  const isUnreadable = isOpen && source.answer === undefined && source.refused !== undefined;
  return server.state !== 'answers' || isUnreadable;
}

export function StatePage() {
  const session = useSession();
  const { server } = session;
  const { title, text, command, next } = contentOf(session);
  return (
    <main class="state-page">
      <section class="panel">
        <h1>{title}</h1>
        <p>{untrusted(text)}</p>
        {server.state === 'answers' && <InputOptions />}
        {command !== undefined && <CopiedCommand command={command} />}
        <p role="status">{next}</p>
        {session.isOpen && server.state !== 'answers' && <Rescue />}
      </section>
    </main>
  );
}

/** The event and the way out, a command, and how the page continues by itself. */
function contentOf({ mapping, server, source }: MappingSession) {
  const command = mapping?.commands.studio ?? 'docferry studio FILE';
  switch (server.state) {
    case 'refused':
      return {
        title: 'This address doesn’t open the studio',
        text: 'It lacks the right token, which is new with each start. Copy the whole address from the terminal where the studio runs, and paste it above as this page’s address. If the studio no longer runs, start it again:',
        command,
        next: 'With the right address this page continues where it was.',
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
        text: `${source.refused?.message}\nOr state here how to read it. The mapping notes your choice.`,
        next: 'Once the file has changed, return to this page: it is read again.',
      };
  }
}

/** Offers the mapping's text, so that no change is lost with the page. */
function Rescue() {
  const { text, isSaved, pending } = useSession();
  return (
    <div class="rescue">
      <p>
        {isSaved
          ? 'The mapping is saved.'
          : 'The mapping has changes that are not saved. They stay in this page as long as it is open. To be safe, take a copy.'}
        {pending.length > 0 &&
          ' The latest edit will be made once the studio is back, and is not in a copy taken before.'}
      </p>
      <CopyButton text={text} label="Copy its text" />
    </div>
  );
}
