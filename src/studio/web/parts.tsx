/** What the screens are made of. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printable } from '../../report/printable.js';
import type { AnswerError } from './session/ask.js';

/** A value from outside: in its own direction, and with what would act on others as an escape. */
export function Foreign({ value }: { readonly value: unknown }): JSX.Element {
  if (value === null || value === undefined) return <span class="none">none</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return <span class="none">empty</span>;
  return <bdi>{text.split('\n').map(printable).join('\n')}</bdi>;
}

/** A field's name, broken at its dots where it is too long. */
export function FieldName({ name }: { readonly name: string }): JSX.Element {
  return (
    <bdi>
      {printable(name)
        .split('.')
        .flatMap((part, index) => (index === 0 ? [part] : ['.', <wbr key={part} />, part]))}
    </bdi>
  );
}

/** What a person should know, in the order in which it came up. */
export function Notices({
  of,
}: {
  readonly of: readonly string[] | undefined;
}): JSX.Element | null {
  if (of === undefined || of.length === 0) return null;
  return (
    <ul class="notices" role="status">
      {of.map((notice) => (
        <li key={notice}>
          <Foreign value={notice} />
        </li>
      ))}
    </ul>
  );
}

/** Why something could not be done; a mapping's mistakes stand beside its text. */
export function Refusal({ of }: { readonly of: AnswerError | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  const { mistakes, message } = of;
  const more = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return (
    <p class="refusal" role="alert">
      {mistakes.length > 0 ? (
        `The mapping has ${more}: they stand below its text.`
      ) : (
        <Foreign value={message} />
      )}
    </p>
  );
}

/** A command to type in a terminal. */
export function CopiedCommand({ command }: { readonly command: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  return (
    <p class="command">
      <code>{command}</code>
      <button
        type="button"
        onClick={() => {
          void navigator.clipboard.writeText(command).then(() => setCopied(true));
        }}
      >
        {copied ? 'Copied' : 'Copy'}
      </button>
    </p>
  );
}

/** A part of a screen, with its headline. */
export function Panel(props: {
  readonly title: string;
  readonly class?: string;
  readonly aside?: ComponentChildren;
  readonly children?: ComponentChildren;
}): JSX.Element {
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

/** A number as people write it. */
export function figure(number: number): string {
  return number.toLocaleString('en-US');
}

/** A number of things: `1 record`, `2,000 records`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}
