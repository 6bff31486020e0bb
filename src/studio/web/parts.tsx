/** Small components that the screens share, and how they write values and numbers. */
import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  TargetedEvent,
} from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count as counted, thousands as figure } from '../../model/figures.js';
import { printable } from '../../model/text.js';
import type { AnswerError } from './session/ask.js';

export { counted, figure };

/** Words for the values of a document's sentiment. */
export const SENTIMENTS: Readonly<Record<string, string>> = { B: 'Good', N: 'Neutral', R: 'Bad' };

/** Renders an untrusted value: isolated from the page's text direction, with control characters escaped. */
export function untrusted(value: unknown) {
  if (value === null || value === undefined) return <span class="none">none</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return <span class="none">empty</span>;
  return <bdi>{text.split('\n').map(printable).join('\n')}</bdi>;
}

/** Renders the name of a field or column so that it wraps between words: `detected`, `Locations`, `.city`. */
export function fieldName(name: string) {
  return (
    <bdi>
      {printable(name || '–')
        .split(/(?=\.)|(?<=_)|(?<=[a-z])(?=[A-Z])/u)
        .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))}
    </bdi>
  );
}

type ButtonProps = Omit<ButtonHTMLAttributes, 'children'> & { text: ComponentChildren };

export function Button({ text, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest}>
      {text}
    </button>
  );
}

type Attributes = Omit<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'label' | 'role' | 'type' | 'onInput' | 'onChange'
>;

interface InputProps extends Attributes {
  label: ComponentChildren;
  type?: 'text' | 'search' | 'number' | 'date' | 'checkbox';
  list?: string;
  /** Takes each valid value while the user types. */
  sketch?(value: string): unknown;
  /** Takes the value when typing ends. */
  write?(value: string): unknown;
}

export function Input({ label, sketch, write, type = 'text', ...rest }: InputProps) {
  // An answer that arrives while the user types must not take it back.
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped(undefined), [rest.value]);
  const pass = (take: InputProps['write']) => (event: TargetedEvent<HTMLInputElement>) => {
    const { value, validity } = event.currentTarget;
    setTyped(value);
    if (validity.valid) take?.(value);
  };
  // Browsers report a date's change with each digit of the year.
  const end =
    type === 'date' ? { onBlur: pass(write), max: '9999-12-31' } : { onChange: pass(write) };
  const attributes = { type, ...rest, value: typed ?? rest.value, ...end } as InputHTMLAttributes;
  return (
    <label class={type}>
      {label}
      <input {...attributes} onInput={pass(sketch)} />
    </label>
  );
}

export function Select(props: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  choose(value: string): unknown;
}) {
  const { label, value, options, choose } = props;
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Notices(props: { of: readonly string[] | undefined; class?: string }) {
  if (props.of === undefined || props.of.length === 0) return null;
  return (
    <div role="status">
      <ul class={props.class ?? 'notices'}>
        {props.of.map((notice) => (
          <li key={notice}>{untrusted(notice)}</li>
        ))}
      </ul>
    </div>
  );
}

/** An error message; the mistakes of a mapping are listed next to its text instead. */
export function ErrorMessage({ of }: { of: AnswerError | undefined }) {
  if (of === undefined) return null;
  const { mistakes = [] } = of.answer;
  return (
    <p class="wrong" role="alert">
      {mistakes.length === 0
        ? untrusted(of.message)
        : `The mapping has ${counted(mistakes.length, 'mistake')}: open its text to see where.`}
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

/** The heads of a table's columns. */
export function Head({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((name) => (
          <th key={name}>{untrusted(name)}</th>
        ))}
      </tr>
    </thead>
  );
}

/** Buttons to the previous and next of a row of things, around the place in it. */
export function Pager(props: {
  thing: string;
  /** Number of the first that is shown, from 1. */
  at: number;
  /** Number of things shown at a time. */
  size?: number;
  of: number;
  show(at: number): void;
}) {
  const { thing, at, size = 1, of, show } = props;
  const last = Math.min(at + size - 1, of);
  const step = (text: string, to: number) => {
    const attributes = { 'aria-label': `${text} ${thing}`, disabled: to < 1 || to > of };
    return <Button text={text} {...attributes} onClick={() => show(to)} />;
  };
  return (
    <div class="actions">
      {step('Previous', at - size)}
      <span role="status">{`${size > 1 && of > 0 ? `${figure(at)}–` : ''}${figure(last)} of ${figure(of)}`}</span>
      {step('Next', at + size)}
    </div>
  );
}

/** A modal dialog, shown as long as it is rendered. */
export function Dialog(props: {
  title: ComponentChildren;
  children: ComponentChildren;
  close(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <dialog ref={dialog} onClose={props.close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  );
}
