/** Buttons, inputs and lists of choices. */
import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  TargetedEvent,
  TargetedKeyboardEvent,
} from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { untrusted } from './text.js';

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
  const pass = (take: InputProps['write']) => (event: TargetedEvent<HTMLInputElement>) => {
    const { value, validity } = event.currentTarget;
    if (validity.valid) take?.(value);
  };
  // Browsers report a date's change with each digit of the year.
  const end = type === 'date' ? { onBlur: pass(write) } : { onChange: pass(write) };
  const attributes = { type, ...rest, ...end } as InputHTMLAttributes;
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

export interface Choice {
  readonly text: string;
  /** Evidence or example values, shown below the text. */
  readonly detail: string;
  choose(): void;
}

interface ChoiceListProps {
  /** Accessible name: what the list chooses. */
  label: string;
  /** Text of the current choice; absent if the list adds something. */
  current?: string | undefined;
  groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
}

/** A button that opens a list with a search field, as exports may have thousands of columns. */
export function ChoiceList({ label, current, groups }: ChoiceListProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="choice">
      <Button
        class="choice-button"
        aria-label={current === undefined ? label : `${label}: ${current}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        text={untrusted(current ?? label)}
        onClick={() => setOpen(true)}
      />
      {isOpen && <OpenList label={label} groups={groups} closed={() => setOpen(false)} />}
    </div>
  );
}

function OpenList({ label, groups, closed }: ChoiceListProps & { closed(): void }) {
  const [search, setSearch] = useState('');
  const list = useRef<HTMLDivElement>(null);
  // Browsers close a popover on Escape and on a click elsewhere, and return the focus.
  useLayoutEffect(() => list.current?.showPopover(), []);
  const found = groups
    .map(({ title, choices }) => ({ title, choices: choices.filter(contains(search)) }))
    .filter(({ choices }) => choices.length > 0);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    list.current?.hidePopover();
    choice.choose();
  };
  return (
    <div
      ref={list}
      class="choices"
      popover="auto"
      role="dialog"
      aria-label={label}
      onToggle={({ newState }) => newState === 'closed' && closed()}
      onKeyDown={moveFocus}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (search !== '') take(found[0]?.choices[0]);
        }}
      >
        <Input type="search" label="Search" value={search} sketch={setSearch} autofocus />
      </form>
      {found.length === 0 && <p class="soft">No matches.</p>}
      {found.map(({ title, choices }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {choices.map((choice) => (
              <li key={choice.text}>
                <Button onClick={() => take(choice)} text={choiceText(choice)} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function choiceText({ text, detail }: Choice) {
  return (
    <>
      {untrusted(text)} <span class="soft">{untrusted(detail)}</span>
    </>
  );
}

function contains(search: string): (choice: Choice) => boolean {
  const wanted = search.toLowerCase();
  return ({ text }) => text.toLowerCase().includes(wanted);
}

/** Moves the focus between the search field and the choices. */
function moveFocus(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[at + step]?.focus();
  event.preventDefault();
}
