/** Completions at the caret of the mapping's editor. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PrismEditor } from 'prism-code-editor';
import type { CompletionItem, Completions } from '../../index.js';
import { ask } from './session/ask.js';
import { untrusted } from './text.js';

/** Number of suggestions shown. The list doesn't scroll, so that it works without a mouse. */
const MAX_SHOWN = 8;

/** Completions for a text, of which one is active. */
interface Offer extends Completions {
  readonly text: string;
  readonly at: number;
}

/** Suggests completions while the user types, or on Ctrl-Space. */
export function Suggestions({ editor }: { editor: PrismEditor }) {
  const { textarea } = editor;
  const [offer, setOffer] = useState<Offer>();
  const list = useRef<HTMLDivElement>(null);
  const lastRequest = useRef(0);
  const line = editor.lines[editor.activeLine];
  useListeners(textarea, { type, press, close });
  useEffect(() => {
    if (offer === undefined) textarea.removeAttribute('aria-activedescendant');
    else textarea.setAttribute('aria-activedescendant', `suggestion-${offer.at}`);
    if (list.current === null || line === undefined) return;
    // Set here because the content security policy forbids inline styles.
    const top = line.offsetTop + line.offsetHeight - editor.container.scrollTop;
    list.current.style.top = `${top}px`;
  });
  if (offer === undefined) return null;
  const first = Math.max(0, offer.at - MAX_SHOWN + 1);
  return (
    <div class="suggestions" role="listbox" aria-label="Suggestions" ref={list}>
      {offer.items.slice(first, first + MAX_SHOWN).map((item, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the editor keeps the focus.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the editor takes the keys.
        <div
          role="option"
          id={`suggestion-${first + n}`}
          key={item.label}
          aria-selected={first + n === offer.at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(item)}
        >
          {untrusted(item.label)} <span class="soft">{item.detail}</span>
        </div>
      ))}
    </div>
  );

  function type({ inputType }: InputEvent): void {
    if (inputType === 'insertText') void suggest(false);
    else close();
  }

  /** @param isExplicit shows suggestions even if nothing was typed yet */
  async function suggest(isExplicit: boolean): Promise<void> {
    lastRequest.current += 1;
    const request = lastRequest.current;
    const { value: text, selectionEnd: offset } = textarea;
    const found = await ask<Completions>('/api/complete', { body: { text, offset } });
    if (request !== lastRequest.current || textarea.value !== text) return;
    const typed = text.slice(found.from, offset);
    const items = found.items.filter(({ label }) => label !== typed);
    const isWanted = items.length > 0 && (isExplicit || typed !== '');
    setOffer(isWanted ? { ...found, items, text, at: 0 } : undefined);
  }

  function close(): void {
    lastRequest.current += 1;
    setOffer(undefined);
  }

  function choose(item: CompletionItem | undefined): void {
    if (offer === undefined || item === undefined) return;
    textarea.setRangeText(item.insert, offer.from, offer.to, 'end');
    textarea.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }));
    textarea.focus();
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === ' ' && event.ctrlKey) void suggest(true);
    // Ignore suggestions for an older text: the user typed on before the server answered.
    else if (offer?.text !== textarea.value) return;
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') choose(offer.items[offer.at]);
    else if (step !== undefined && offer.items[offer.at + step] !== undefined)
      setOffer({ ...offer, at: offer.at + step });
    else if (step === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

interface Listeners {
  type(event: InputEvent): void;
  press(event: KeyboardEvent): void;
  close(): void;
}

/** Listens as long as the editor lives: replacing listeners on each render could miss a key press. */
function useListeners(textarea: HTMLTextAreaElement, listeners: Listeners): void {
  const latest = useRef(listeners);
  latest.current = listeners;
  useEffect(() => {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    const type = (event: Event) => latest.current.type(event as InputEvent);
    const close = () => latest.current.close();
    textarea.addEventListener('input', type, options);
    textarea.addEventListener('keydown', (event) => latest.current.press(event), options);
    for (const leaving of ['blur', 'click']) textarea.addEventListener(leaving, close, options);
    return () => stop.abort();
  }, [textarea]);
}
