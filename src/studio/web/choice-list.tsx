/** A list to choose from that is searched by typing: exports may have thousands of columns. */
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Foreign, figure } from './parts.js';

/** Something that can be chosen. */
export interface Choice {
  readonly text: string;
  /** What speaks for it, or what it looks like. */
  readonly detail?: string | undefined;
  choose(): void;
}

interface ChoiceListProps {
  /** What is chosen, for whoever can't see where the button stands. */
  readonly label: string;
  /** What is chosen now. */
  readonly now: string;
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
}

/** More are not listed at a time. */
const MAX_SHOWN = 200;

export function ChoiceList({ label, now, groups }: ChoiceListProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    place.current?.querySelector('button')?.focus();
  };
  return (
    <div
      class="choice"
      ref={place}
      onFocusOut={({ relatedTarget }) => {
        if (!place.current?.contains(relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <button
        type="button"
        class="choice-button"
        aria-label={`${label}: ${now}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Foreign value={now} />
      </button>
      {isOpen ? <OpenList id={id} label={label} groups={groups} close={close} /> : null}
    </div>
  );
}

function OpenList(
  props: Omit<ChoiceListProps, 'now'> & { readonly id: string; close(): void },
): JSX.Element {
  const { id, label, groups, close } = props;
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  const found = foundIn(groups, search);
  const all = found.flatMap(({ choices }) => choices);
  const shown = all.slice(0, MAX_SHOWN);
  // At once: what somebody types before would go to the button.
  useLayoutEffect(() => place.current?.querySelector('input')?.focus(), []);
  useEffect(() => {
    place.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div class="choice-list" ref={place}>
      <input
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: without a data list it is not implied.
        role="combobox"
        list={undefined}
        aria-label={`${label}: search`}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        value={search}
        onInput={({ currentTarget: { value } }) => {
          setSearch(value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={id} aria-label={label}>
        {found.map(({ title, choices }) => (
          <Group
            key={title}
            id={id}
            title={title}
            choices={choices}
            at={at}
            all={shown}
            pick={pick}
          />
        ))}
      </div>
      {all.length > shown.length ? (
        <p class="soft">{figure(all.length - shown.length)} more: search for them.</p>
      ) : null}
      {all.length === 0 ? <p class="soft">Nothing is called like that.</p> : null}
    </div>
  );

  function pick(choice: Choice | undefined): void {
    if (choice === undefined) return;
    close();
    choice.choose();
  }

  function press(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(at + step, shown.length - 1)));
    else if (event.key === 'Enter') pick(wanted(event.currentTarget.value));
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  }

  /** @param typed may be more than what is shown yet */
  function wanted(typed: string): Choice | undefined {
    return typed === search ? shown[at] : foundIn(groups, typed)[0]?.choices[0];
  }
}

/** The groups that have choices with a text in their names, and these. */
function foundIn(groups: ChoiceListProps['groups'], search: string): ChoiceListProps['groups'] {
  return groups
    .map(({ title, choices }) => ({ title, choices: choices.filter(holding(search)) }))
    .filter(({ choices }) => choices.length > 0);
}

function holding(search: string): (choice: Choice) => boolean {
  const wanted = search.toLowerCase();
  return ({ text }) => text.toLowerCase().includes(wanted);
}

function Group(props: {
  readonly id: string;
  readonly title: string;
  readonly choices: readonly Choice[];
  /** All that are listed, and which of them is looked at. */
  readonly all: readonly Choice[];
  readonly at: number;
  pick(choice: Choice): void;
}): JSX.Element | null {
  const { id, title, choices, all, at, pick } = props;
  const shown = choices.filter((choice) => all.includes(choice));
  if (shown.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped like this.
    <div role="group" aria-label={title}>
      <div class="soft" aria-hidden="true">
        {title}
      </div>
      {shown.map((choice) => {
        const index = all.indexOf(choice);
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the search keeps the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search takes the keys.
          <div
            role="option"
            id={`${id}-${index}`}
            key={index}
            aria-selected={index === at}
            // The search must keep the focus until the click is there.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            <Foreign value={choice.text} />
            {choice.detail === undefined ? null : (
              <span class="soft">
                <Foreign value={choice.detail} />
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
