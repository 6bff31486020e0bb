/** The command for the real import, complete once the mapping is saved and the monitoring is known. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CopiedCommand, Panel, UntrustedText } from '../parts.js';
import type { MappingSession } from '../session/use-session.js';

export function NextCommand(props: {
  readonly session: MappingSession;
  save(): void;
}): JSX.Element | null {
  const { session, save } = props;
  const { mapping, isSaved, isOpen } = session;
  const [id, setId] = useState('');
  if (mapping === undefined || !isOpen) return null;
  if (!isSaved) {
    return (
      <Panel title="Next: the import">
        <p>
          Save <UntrustedText value={mapping.name} /> first: the commands read it from the disk.
        </p>
        <button type="button" class="first" onClick={save}>
          Save…
        </button>
      </Panel>
    );
  }
  const isId = /^[1-9]\d*$/u.test(id);
  const command = (monitoring: string) => mapping.commands.import.replace(/ID$/u, monitoring);
  return (
    <Panel title="Next: the import">
      <label class="search">
        Id of the monitoring to import into
        <input
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={id}
          aria-invalid={id !== '' && !isId}
          aria-describedby="id-hint"
          onInput={({ currentTarget: { value } }) => setId(value.trim())}
        />
      </label>
      <p class="soft" id="id-hint" role="status">
        {idHint(id, isId)}
      </p>
      <h3>Import it</h3>
      <CopiedCommand command={command(isId ? id : 'ID')} isComplete={isId} />
      <h3>Try it without the service, in a sandbox that stays</h3>
      <CopiedCommand command={`${command(isId ? id : '1')} --sandbox`} />
    </Panel>
  );
}

function idHint(id: string, isId: boolean): string {
  if (isId) return 'The command is complete. Run it where your credentials are set.';
  if (id !== '') return `“${id}” is not an id. It is a whole number of at least 1.`;
  return 'A whole number. To list the monitorings, run: docferry monitorings list';
}
