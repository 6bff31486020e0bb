/** Pages shown instead of the screens while the server or the file isn't there. */
import type { ComponentChildren, JSX } from 'preact';
import { CopiedCommand, CopyButton, UntrustedText } from './parts.js';
import { InputOptions } from './screens/source-options.js';
import type { Server } from './session/server.js';
import type { MappingSession } from './session/use-session.js';
import type { WatchedServer } from './session/watch-server.js';

export function StatePage(props: {
  readonly session: MappingSession;
  readonly server: Server;
}): JSX.Element {
  const { session, server } = props;
  switch (server.state) {
    case 'refused':
      return session.isOpen ? <Restarted session={session} /> : <WrongAddress />;
    case 'stopped':
      return <Stopped session={session} />;
    case 'missing':
      return <Missing session={session} message={server.message} />;
    case 'answers':
      return <Unreadable session={session} />;
  }
}

/** Whether the file has never been read: an option that is wrong for a moment doesn't count. */
export function isUnreadable({ source, isOpen }: MappingSession): boolean {
  return isOpen && source.answer === undefined && source.refused !== undefined;
}

/** One message for all that was read again. */
export function ChangedFile(props: {
  readonly session: MappingSession;
  readonly server: WatchedServer;
}): JSX.Element | null {
  const { changedAt, dismiss } = props.server;
  if (changedAt === undefined) return null;
  return (
    <div class="notices changed" role="status">
      <p>
        <UntrustedText value={props.session.source.answer?.name} /> changed on the disk. It was read
        again at {new Date(changedAt).toLocaleTimeString()}.
      </p>
      <button type="button" onClick={dismiss}>
        Dismiss
      </button>
    </div>
  );
}

function WrongAddress(): JSX.Element {
  return (
    <Page title="This address doesn’t open the studio">
      <p>
        It lacks the right token: the part after <code>#token=</code>, which is new with each start.
        Look into the terminal where the studio runs, copy the whole address that it printed, and
        paste it here.
      </p>
      <AddressForm />
      <p>Is it no longer running? Start it again with your file:</p>
      <CopiedCommand command="docferry studio FILE" />
    </Page>
  );
}

function Restarted({ session }: { readonly session: MappingSession }): JSX.Element {
  return (
    <Page title="The studio was started again">
      <p>
        Its address is new. Paste the one that it printed here, and this page continues where you
        left it.
      </p>
      <AddressForm />
      <Rescue session={session} />
    </Page>
  );
}

function Stopped({ session }: { readonly session: MappingSession }): JSX.Element {
  const command = session.mapping?.commands.studio ?? 'docferry studio FILE';
  return (
    <Page title="The studio has stopped">
      <p>Nothing answers at this address any more. To start it again, run in a terminal:</p>
      <CopiedCommand command={`${command} --port ${location.port}`} />
      <p role="status">This page tries again by itself.</p>
      <Rescue session={session} />
    </Page>
  );
}

function Missing(props: {
  readonly session: MappingSession;
  readonly message: string;
}): JSX.Element {
  return (
    <Page title="The file is gone">
      <p>
        <UntrustedText value={props.message} />
      </p>
      <p role="status">Once it is back, this page continues by itself.</p>
      <Rescue session={props.session} />
    </Page>
  );
}

function Unreadable({ session }: { readonly session: MappingSession }): JSX.Element {
  return (
    <Page title="The file can’t be read">
      <p>
        <UntrustedText value={session.source.refused?.message} />
      </p>
      <p>Export the file again, or state here how to read it. The mapping notes your choice.</p>
      <InputOptions session={session} source={undefined} />
      <p role="status">Once the file has changed, return to this page: it is read again.</p>
    </Page>
  );
}

function Page(props: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <main class="state-page">
      <section class="panel">
        <h1>{props.title}</h1>
        {props.children}
      </section>
    </main>
  );
}

/** Takes a pasted address: of the same port, it only changes the token and leaves the page as it is. */
function AddressForm(): JSX.Element {
  return (
    <form
      class="options"
      onSubmit={(event) => {
        event.preventDefault();
        const pasted = event.currentTarget.querySelector('input')?.value ?? '';
        location.assign(pasted.trim());
      }}
    >
      <label class="wide">
        Address that the command printed
        <input
          type="text"
          required
          pattern="\s*http://(127\.0\.0\.1|localhost):\d+/#token=\S+\s*"
          placeholder="http://127.0.0.1:…/#token=…"
          title="http://127.0.0.1:…/#token=…"
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
function Rescue({ session }: { readonly session: MappingSession }): JSX.Element | null {
  const { text, mapping, isOpen, isSaved } = session;
  if (!isOpen) return null;
  const name = mapping?.name ?? 'reviews.mapping.yaml';
  return (
    <div class="rescue">
      <p>
        {isSaved
          ? 'The mapping is saved.'
          : 'The mapping has changes that are not saved. They stay in this page as long as it is open. To be safe, take a copy.'}
      </p>
      <div class="actions">
        <button type="button" onClick={() => download(name, text)}>
          Download the mapping
        </button>
        <CopyButton text={text}>Copy its text</CopyButton>
      </div>
    </div>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
