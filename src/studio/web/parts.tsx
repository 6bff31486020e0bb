/** Small components that the screens share. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './controls.js';
import type { AnswerError } from './session/ask.js';
import { counted, untrusted } from './text.js';

export function Notices({ of = [] }: { of: readonly string[] | undefined }) {
  if (of.length === 0) return null;
  return (
    <ul class="notices" role="status">
      {of.map((notice) => (
        <li key={notice}>{untrusted(notice)}</li>
      ))}
    </ul>
  );
}

/** An error message; the mistakes of a mapping are listed next to its text instead. */
export function ErrorMessage({ of }: { of: AnswerError | undefined }) {
  if (of === undefined) return null;
  const mistakes = counted(of.mistakes.length, 'mistake');
  return (
    <p class="wrong" role="alert">
      {of.mistakes.length === 0
        ? untrusted(of.message)
        : `The mapping has ${mistakes}: open its text to see where.`}
    </p>
  );
}

export function CopyButton(props: { text: string; label: string; disabled?: boolean }) {
  const { text, label, disabled = false } = props;
  const [copied, setCopied] = useState('');
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(text));
  return <Button text={copied === text ? 'Copied' : label} disabled={disabled} onClick={copy} />;
}

/** A command line with a button that copies it, unless it lacks something. */
export function CopiedCommand(props: { command: string; isComplete?: boolean }) {
  const { command, isComplete = true } = props;
  return (
    <p class="command">
      <code>
        {command.split(' ').flatMap((word, index) => [' ', <span key={index}>{word}</span>])}
      </code>
      <CopyButton text={command} label="Copy" disabled={!isComplete} />
    </p>
  );
}

export function Panel(props: {
  title: string;
  class?: string;
  aside?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const { title, aside, children } = props;
  return (
    <section class={`panel ${props.class ?? ''}`} aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A modal dialog, shown as long as it is rendered. */
export function Dialog(props: {
  title: ComponentChildren;
  class?: string;
  /** Called on Escape. */
  close(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog ref={dialog} class={props.class} onClose={props.close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}
