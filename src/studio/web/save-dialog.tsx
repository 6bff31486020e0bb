/** Shows how saving changes the file before it writes it. */
import { diffLines } from 'diff';
import { useState } from 'preact/hooks';
import type { SavedMapping } from '../wire.js';
import { Button, counted, Dialog, ErrorMessage, untrusted } from './parts.js';
import { AnswerError, request } from './session/ask.js';
import { labelOf, mappingFields } from './session/mapping-fields.js';
import { useSession } from './session/use-session.js';

export function SaveButton() {
  const { isOpen, isSaved, setSaving } = useSession();
  const isOff = !isOpen || isSaved;
  return <Button text="Save…" class="first" disabled={isOff} onClick={() => setSaving(true)} />;
}

export function SaveDialog() {
  const { text, saved, mapping, pending, set, setSaved, close } = useSession();
  const [refused, setRefused] = useState<AnswerError>();
  const isEditing = pending.length > 0;
  const isConflict = refused?.status === 412;
  const verb = isConflict ? 'Overwrite it' : 'Save';
  return (
    <Dialog title={<>Save {untrusted(mapping?.name)}</>} close={close}>
      <ErrorMessage of={refused} />
      <p>{isConflict ? 'Saving would change the file on the disk as follows:' : <Changes />}</p>
      <p role="status">{isEditing && 'The latest edit is still being made.'}</p>
      <Difference before={saved?.text ?? ''} after={text} />
      <div class="actions">
        <Button text="Don’t save" onClick={close} />
        {isConflict && saved && <Button text="Take what is on the disk" onClick={giveWay} />}
        <Button text={verb} class="first" disabled={isEditing} onClick={save} />
      </div>
    </Dialog>
  );

  function giveWay(): void {
    set(saved?.text ?? text);
    close();
  }

  async function save(): Promise<void> {
    const headers = saved === null ? { 'if-none-match': '*' } : { 'if-match': saved.etag };
    try {
      const options = { method: 'PUT', body: { text }, headers } as const;
      setSaved(await request<SavedMapping>('/api/mapping', options));
      close();
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      // Compare with, and overwrite, the version that is on the disk now.
      if (error.status === 412) setSaved(error.answer.saved ?? null);
      setRefused(error);
    }
  }
}

/** The parts of the mapping that saving changes, and the questions that it leaves open. */
function Changes() {
  const { saved, savedMapping, written, openQuestions } = useSession();
  const [before, after] = [savedMapping, written].map(partsByName);
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => before?.[name] !== after?.[name]).map(labelOf);
  const what = changed.join(', ') || 'no rule';
  const open = `${counted(openQuestions.length, 'question')} left open`;
  return (
    <>
      {saved === null ? 'The file is new, with' : 'Saving changes'} {untrusted(what)}. {open}.
    </>
  );
}

function partsByName(written: unknown): Readonly<Record<string, string>> {
  const { skip, input, ...others } = Object(written);
  const parts = { 'records left out': skip, 'how the file is read': input, ...others };
  const fields = mappingFields(written).map(({ name, rule }) => [name, rule] as const);
  const named = [...Object.entries(parts).filter(([name]) => name !== 'document'), ...fields];
  return Object.fromEntries(named.map(([name, part]) => [name, JSON.stringify(part)]));
}

/** Unchanged lines shown around each change. */
const CONTEXT = 3;

function Difference({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it must be scrollable by keyboard.
    <section class="difference" tabIndex={0} aria-label="Differences">
      {diffLines(before, after).map(({ value, added, removed }) => {
        const lines = value.replace(/\n$/u, '').split('\n');
        if (!added && !removed) return shortenLines(lines).map((line) => <div>{`  ${line}`}</div>);
        return lines.map((line) => (
          <div class={added ? 'added' : 'removed'}>{`${added ? '+' : '−'} ${line}`}</div>
        ));
      })}
    </section>
  );
}

function shortenLines(lines: readonly string[]): readonly string[] {
  const hidden = lines.length - 2 * CONTEXT;
  if (hidden < 2) return lines;
  const note = `… ${counted(hidden, 'unchanged line')}`;
  return [...lines.slice(0, CONTEXT), note, ...lines.slice(-CONTEXT)];
}
