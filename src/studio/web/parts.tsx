/** Small components that the screens share. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { printable } from '../../model/text.js';
import type { AnswerError } from './session/ask.js';

/** Untrusted text: isolated from the page's text direction, with control characters escaped. */
export function UntrustedText({ value }: { readonly value: unknown }): JSX.Element {
  if (value === null || value === undefined) return <span class="none">none</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return <span class="none">empty</span>;
  return <bdi>{text.split('\n').map(printable).join('\n')}</bdi>;
}

/** A field's name that can wrap between its words: `detected`, `Locations`, `.city`. */
export function FieldName({ name }: { readonly name: string }): JSX.Element {
  return (
    <bdi>
      {printable(name)
        .split(/(?=\.)|(?<=[a-z])(?=[A-Z])/u)
        .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))}
    </bdi>
  );
}

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
          <UntrustedText value={notice} />
        </li>
      ))}
    </ul>
  );
}

/** An error message; the mistakes of a mapping are listed next to its text instead. */
export function ErrorMessage({ of }: { readonly of: AnswerError | undefined }): JSX.Element | null {
  if (of === undefined) return null;
  const { mistakes, message } = of;
  const more = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  return (
    <p class="refusal" role="alert">
      {mistakes.length > 0 ? (
        `The mapping has ${more}: open its text to see where.`
      ) : (
        <UntrustedText value={message} />
      )}
    </p>
  );
}

export function CopyButton(props: {
  readonly text: string;
  readonly disabled?: boolean;
  readonly children: string;
}): JSX.Element {
  const { text, disabled, children } = props;
  const [copied, setCopied] = useState('');
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => setCopied(text));
      }}
    >
      {copied === text ? 'Copied' : children}
    </button>
  );
}

/** A command line with a button that copies it, unless it lacks something. */
export function CopiedCommand(props: {
  readonly command: string;
  readonly isComplete?: boolean;
}): JSX.Element {
  const { command, isComplete = true } = props;
  return (
    <p class="command">
      <code>
        {command.split(' ').flatMap((word, index) => [' ', <span key={index}>{word}</span>])}
      </code>
      <CopyButton text={command} disabled={!isComplete}>
        Copy
      </CopyButton>
    </p>
  );
}

export function SearchField(props: {
  readonly label: string;
  readonly value: string;
  search(text: string): void;
}): JSX.Element {
  return (
    <label class="search">
      {props.label}
      <input
        type="search"
        value={props.value}
        onInput={({ currentTarget }) => props.search(currentTarget.value)}
      />
    </label>
  );
}

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

/** Formats a number: `2,000`. */
export function figure(number: number): string {
  return number.toLocaleString('en-US');
}

/** Formats a number of things: `1 record`, `2,000 records`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}
