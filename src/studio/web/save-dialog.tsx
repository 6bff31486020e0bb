/** Saving: first what changes on the disk, then the writing. */
import { diffLines } from 'diff';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SavedMapping } from '../wire.js';
import { counted, Foreign, Refusal } from './parts.js';
import { AnswerError, ask } from './session/ask.js';
import type { MappingSession } from './session/use-session.js';

interface SaveProps {
  readonly session: MappingSession;
  close(): void;
}

export function SaveDialog({ session, close }: SaveProps): JSX.Element {
  const { text, saved, mapping } = session;
  const dialog = useRef<HTMLDialogElement>(null);
  const [refused, setRefused] = useState<AnswerError>();
  useEffect(() => dialog.current?.showModal(), []);
  const conflict = refused?.status === 412;
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="save-title">
      <h2 id="save-title">
        Save <Foreign value={mapping?.name ?? ''} />
      </h2>
      <Refusal of={refused} />
      <p>
        {conflict
          ? 'What saving would now change in the file on the disk:'
          : saved === null
            ? 'The file is new.'
            : 'What changes in the file:'}
      </p>
      <Difference before={saved?.text ?? ''} after={text} />
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Don’t save
        </button>
        {conflict && saved !== null ? (
          <button type="button" onClick={takeTheirs}>
            Take what is on the disk
          </button>
        ) : null}
        <button type="button" class="first" onClick={save}>
          {conflict ? 'Overwrite it' : 'Save'}
        </button>
      </div>
    </dialog>
  );

  async function save(): Promise<void> {
    const headers: Readonly<Record<string, string>> =
      saved === null ? { 'if-none-match': '*' } : { 'if-match': saved.etag };
    try {
      const question = { method: 'PUT', body: { text }, headers } as const;
      session.keep(await ask<SavedMapping>('/api/mapping', question));
      dialog.current?.close();
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      // The next attempt is about what is on the disk now, and it is shown.
      if (error.status === 412) session.keep(error.saved);
      setRefused(error);
    }
  }

  function takeTheirs(): void {
    if (saved !== null) session.set(saved.text);
    dialog.current?.close();
  }
}

/** Lines that stay the same, around those that don't. */
const CONTEXT = 3;

function Difference(props: { readonly before: string; readonly after: string }): JSX.Element {
  const parts = diffLines(props.before, props.after);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse must be able to scroll it.
    <section class="difference" tabIndex={0} aria-label="Differences">
      {parts.map(({ value, added, removed }, index) => {
        const lines = value.replace(/\n$/u, '').split('\n');
        const kind = added ? 'added' : removed ? 'removed' : 'same';
        const shown = kind === 'same' ? shortened(lines) : lines;
        return shown.map((line, at) => (
          <div class={kind} key={`${index}.${at}`}>
            {{ added: '+ ', removed: '− ', same: '  ' }[kind]}
            {line}
          </div>
        ));
      })}
    </section>
  );
}

function shortened(lines: readonly string[]): readonly string[] {
  const left = lines.length - 2 * CONTEXT;
  if (left < 2) return lines;
  return [
    ...lines.slice(0, CONTEXT),
    `… ${counted(left, 'line')} as before`,
    ...lines.slice(-CONTEXT),
  ];
}
