/** A drop-down list with a search field, as exports may have thousands of columns. */
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { figure, UntrustedText } from './parts.js';

export interface Choice {
  readonly text: string;
  /** Evidence or example values, shown next to the text. */
  readonly detail?: string | undefined;
  choose(): void;
}

interface ChoiceListProps {
  /** Accessible name: what the list chooses. */
  readonly label: string;
  /** Text of the current choice; absent if the list adds something. */
  readonly current?: string;
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
}

/** Number of choices listed at a time. */
const MAX_SHOWN = 200;

export function ChoiceList({ label, current, groups }: ChoiceListProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    setOpen(false);
    container.current?.querySelector('button')?.focus();
  };
  return (
    <div
      class="choice"
      ref={container}
      onFocusOut={({ relatedTarget }) => {
        if (!container.current?.contains(relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <button
        type="button"
        class="choice-button"
        aria-label={current === undefined ? label : `${label}: ${current}`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <UntrustedText value={current ?? label} />
      </button>
      {isOpen ? <OpenList id={id} label={label} groups={groups} close={close} /> : null}
    </div>
  );
}

function OpenList(
  props: Omit<ChoiceListProps, 'current'> & { readonly id: string; close(): void },
): JSX.Element {
  const { id, label, groups, close } = props;
  const [search, setSearch] = useState('');
  const [active, setActive] = useState(0);
  const container = useRef<HTMLDivElement>(null);
  const found = filterGroups(groups, search);
  const all = found.flatMap(({ choices }) => choices);
  const shown = all.slice(0, MAX_SHOWN);
  // Before the next key press, which would otherwise go to the button.
  useLayoutEffect(() => {
    container.current?.querySelector('input')?.focus();
    container.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    container.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });
  return (
    <div class="choice-list" ref={container}>
      <input
        type="search"
        // biome-ignore lint/a11y/noRedundantRoles: without a data list it is not implied.
        role="combobox"
        list={undefined}
        aria-label={`${label}: search`}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${active}` : undefined}
        value={search}
        onInput={({ currentTarget: { value } }) => {
          setSearch(value);
          setActive(0);
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
            active={active}
            all={shown}
            pick={pick}
          />
        ))}
      </div>
      {all.length > shown.length ? (
        <p class="soft">{figure(all.length - shown.length)} more. Search to narrow the list.</p>
      ) : null}
      {all.length === 0 ? <p class="soft">No matches.</p> : null}
    </div>
  );

  function pick(choice: Choice | undefined): void {
    if (choice === undefined) return;
    close();
    choice.choose();
  }

  function press(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive(Math.max(0, Math.min(active + step, shown.length - 1)));
    else if (event.key === 'Enter') pick(choiceFor(event.currentTarget.value));
    else if (event.key === 'Escape') {
      // The panel around it stays open.
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  }

  /** @param typed the field's text, which `search` may not reflect yet */
  function choiceFor(typed: string): Choice | undefined {
    return typed === search ? shown[active] : filterGroups(groups, typed)[0]?.choices[0];
  }
}

/** Reduces groups to the choices that contain the search text; drops empty groups. */
function filterGroups(
  groups: ChoiceListProps['groups'],
  search: string,
): ChoiceListProps['groups'] {
  return groups
    .map(({ title, choices }) => ({ title, choices: choices.filter(matching(search)) }))
    .filter(({ choices }) => choices.length > 0);
}

function matching(search: string): (choice: Choice) => boolean {
  const wanted = search.toLowerCase();
  return ({ text }) => text.toLowerCase().includes(wanted);
}

function Group(props: {
  readonly id: string;
  readonly title: string;
  readonly choices: readonly Choice[];
  /** Listed choices of all groups. */
  readonly all: readonly Choice[];
  /** Index of the active choice in `all`. */
  readonly active: number;
  pick(choice: Choice): void;
}): JSX.Element | null {
  const { id, title, choices, all, active, pick } = props;
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
            aria-selected={index === active}
            // Keeps the focus in the search field until the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            <UntrustedText value={choice.text} />
            {choice.detail === undefined ? null : (
              <span class="soft">
                <UntrustedText value={choice.detail} />
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}
