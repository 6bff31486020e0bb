/** Completions at the caret of the mapping's editor. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PrismEditor } from 'prism-code-editor';
import type { CompletionItem, Completions } from '../../index.js';
import { UntrustedText } from './parts.js';
import { ask } from './session/ask.js';

/** Number of suggestions shown around the active one. The list doesn't scroll, so that it works without a mouse. */
const MAX_SHOWN = 8;
const LIST_ID = 'suggestions';

/** Suggests completions while the user types, or on Ctrl-Space. */
export function Suggestions({ editor }: { readonly editor: PrismEditor }): JSX.Element | null {
  const { offered, at, choose } = useSuggestions(editor);
  const line = editor.lines[editor.activeLine];
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (container.current === null || line === undefined) return;
    // Set here because the content security policy forbids inline styles.
    container.current.style.top = `${line.offsetTop + line.offsetHeight - editor.container.scrollTop}px`;
  });
  if (offered === undefined) return null;
  const { items } = offered;
  const first = Math.max(0, Math.min(at - MAX_SHOWN / 2, items.length - MAX_SHOWN));
  const shown = items
    .slice(first, first + MAX_SHOWN)
    .map((item, n) => ({ item, index: first + n }));
  return (
    <div class="suggestions" ref={container}>
      <div role="listbox" id={LIST_ID} aria-label="Suggestions">
        {shown.map(({ item, index }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the editor keeps the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the editor takes the keys.
          <div
            role="option"
            id={`${LIST_ID}-${index}`}
            key={item.label}
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(item)}
          >
            <UntrustedText value={item.label} />
            {item.detail === '' ? null : <span class="soft">{item.detail}</span>}
          </div>
        ))}
      </div>
      {items.length > shown.length ? <p class="soft">{`${at + 1} of ${items.length}`}</p> : null}
    </div>
  );
}

/** Completions, and the text they were computed for. */
interface Offered extends Completions {
  readonly text: string;
}

interface Offer {
  readonly offered: Offered | undefined;
  /** Index of the active suggestion. */
  readonly at: number;
  choose(item: CompletionItem): void;
}

function useSuggestions(editor: PrismEditor): Offer {
  const [offered, setOffered] = useState<Offered>();
  const [at, setAt] = useState(0);
  const lastRequest = useRef(0);
  const { textarea } = editor;

  // Listeners live as long as the editor. Replacing them on each render could miss a key press.
  const latest = useRef({ type, press, close });
  latest.current = { type, press, close };
  useEffect(() => {
    const watched: readonly (readonly [string, (event: Event) => void])[] = [
      ['input', (event) => latest.current.type(event as InputEvent)],
      ['keydown', (event) => latest.current.press(event as KeyboardEvent)],
      ['blur', () => latest.current.close()],
      ['click', () => latest.current.close()],
    ];
    for (const [name, listen] of watched) textarea.addEventListener(name, listen, true);
    return () => {
      for (const [name, listen] of watched) textarea.removeEventListener(name, listen, true);
    };
  }, [textarea]);
  useEffect(() => {
    if (offered === undefined) textarea.removeAttribute('aria-activedescendant');
    else textarea.setAttribute('aria-activedescendant', `${LIST_ID}-${at}`);
  }, [offered, at]);
  return { offered, at, choose };

  function type({ inputType }: InputEvent): void {
    if (inputType === 'insertText') void offer(false);
    else close();
  }

  /** @param isExplicit shows suggestions even if nothing was typed yet */
  async function offer(isExplicit: boolean): Promise<void> {
    lastRequest.current += 1;
    const requestNumber = lastRequest.current;
    const { value: text, selectionEnd: offset } = textarea;
    const found = await ask<Completions>('/api/complete', { body: { text, offset } });
    if (requestNumber !== lastRequest.current || textarea.value !== text) return;
    const typed = text.slice(found.from, offset);
    const items = found.items.filter(({ label }) => label !== typed);
    setAt(0);
    setOffered(
      items.length > 0 && (isExplicit || typed !== '') ? { ...found, items, text } : undefined,
    );
  }

  function close(): void {
    lastRequest.current += 1;
    setOffered(undefined);
  }

  function choose({ insert }: CompletionItem): void {
    if (offered === undefined) return;
    textarea.setRangeText(insert, offered.from, offered.to, 'end');
    textarea.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }));
    textarea.focus();
  }

  function press(event: KeyboardEvent): void {
    if (event.key === ' ' && event.ctrlKey) void offer(true);
    // Ignore suggestions for an older text: the user typed on before the server answered.
    else if (offered?.text !== textarea.value) return;
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') choose(offered.items[at] as CompletionItem);
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, offered.items.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}
