/** A list to choose from, with a search field, as exports may have thousands of columns. */
import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, Input, untrusted } from './parts.js';

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
  const matching = (text: string) => {
    const isWanted = (choice: Choice) => choice.text.toLowerCase().includes(text.toLowerCase());
    const some = groups.map(({ title, choices }) => ({ title, choices: choices.filter(isWanted) }));
    return some.filter(({ choices }) => choices.length > 0);
  };
  const found = matching(search);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    list.current?.hidePopover();
    choice.choose();
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    // The latest text, which may not be drawn yet.
    const typed = event.target instanceof HTMLInputElement ? event.target.value : '';
    moveFocus(event);
    if (event.key !== 'Enter' || typed === '') return;
    // The button that the focus returns to would open the list again.
    event.preventDefault();
    take(matching(typed)[0]?.choices[0]);
  };
  return (
    <div
      ref={list}
      class="choices"
      popover="auto"
      role="dialog"
      aria-label={label}
      onToggle={({ newState }) => newState === 'closed' && closed()}
      onKeyDown={press}
    >
      <Input type="search" label="Search" value={search} sketch={setSearch} autofocus />
      {found.length === 0 && <p class="soft">No matches.</p>}
      {found.map(({ title, choices }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {choices.map((choice) => (
              <li key={choice.text}>
                <button type="button" onClick={() => take(choice)}>
                  {untrusted(choice.text)} <span class="soft">{untrusted(choice.detail)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
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
