/** Completions at the caret of the mapping's editor. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PrismEditor } from 'prism-code-editor';
import type { CompletionItem, Completions } from '../../index.js';
import { untrusted } from './parts.js';
import { ask } from './session/ask.js';

/** Number of suggestions shown. The list doesn't scroll, so that it works without a mouse. */
const MAX_SHOWN = 8;

/** Completions for a text, of which one is active. */
interface Offer extends Completions {
  readonly text: string;
  readonly at: number;
}

interface SuggestionsProps {
  editor: PrismEditor | undefined;
  /** The editor's element, whose events come by here. */
  children: ComponentChildren;
}

/** Suggests completions while the user types, or on Ctrl-Space. */
export function Suggestions({ editor, children }: SuggestionsProps) {
  const [offer, setOffer] = useState<Offer>();
  const lastRequest = useRef(0);
  if (editor === undefined) return <div class="editor-place">{children}</div>;
  const { textarea } = editor;

  const close = (): void => {
    lastRequest.current += 1;
    setOffer(undefined);
  };

  /** @param isExplicit shows suggestions even if nothing was typed yet */
  const suggest = async (isExplicit: boolean): Promise<void> => {
    lastRequest.current += 1;
    const request = lastRequest.current;
    const { value: text, selectionEnd: offset } = textarea;
    const found = await ask('complete', { text, offset });
    if (request !== lastRequest.current || textarea.value !== text) return;
    const typed = text.slice(found.from, offset);
    const items = found.items.filter(({ label }) => label !== typed);
    const isWanted = items.length > 0 && (isExplicit || typed !== '');
    setOffer(isWanted ? { ...found, items, text, at: 0 } : undefined);
  };

  const choose = ({ insert }: CompletionItem, { from, to, text }: Offer): void => {
    // The user may have typed on since the server answered.
    const typedOn = textarea.value.length - text.length;
    textarea.setRangeText(insert, from, to + typedOn, 'end');
    const inputType = 'insertReplacementText';
    textarea.dispatchEvent(new InputEvent('input', { inputType, bubbles: true }));
    textarea.focus();
  };

  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const item = offer?.items[offer.at];
    const typed = textarea.value.slice(offer?.from, textarea.selectionEnd).toLowerCase();
    if (event.key === ' ' && event.ctrlKey) void suggest(true);
    else if (offer === undefined || !item?.label.toLowerCase().includes(typed)) return;
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') choose(item, offer);
    else if (step === 0) return;
    else if (offer.items[offer.at + step]) setOffer({ ...offer, at: offer.at + step });
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="editor-place"
      onInputCapture={(event) => (event.inputType === 'insertText' ? suggest(false) : close())}
      onKeyDownCapture={press}
      onBlurCapture={close}
      onMouseUpCapture={close}
    >
      {children}
      {offer && <List of={offer} editor={editor} choose={(item) => choose(item, offer)} />}
    </div>
  );
}

function List(props: { of: Offer; editor: PrismEditor; choose(item: CompletionItem): void }) {
  const { of: offer, editor, choose } = props;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { textarea, container, lines, activeLine } = editor;
    const { offsetTop = 0, offsetHeight = 0 } = lines[activeLine] ?? {};
    // Set here because the content security policy forbids inline styles.
    if (list.current)
      list.current.style.top = `${offsetTop + offsetHeight - container.scrollTop}px`;
    textarea.setAttribute('aria-activedescendant', `suggestion-${offer.at}`);
    return () => textarea.removeAttribute('aria-activedescendant');
  });
  const first = Math.max(0, offer.at - MAX_SHOWN + 1);
  return (
    <div class="suggestions" role="listbox" aria-label="Suggestions" ref={list}>
      {offer.items.slice(first, first + MAX_SHOWN).map((item, n) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the editor keeps the focus.
        <div
          role="option"
          id={`suggestion-${first + n}`}
          key={item.label}
          aria-selected={first + n === offer.at}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(item);
          }}
        >
          {untrusted(item.label)} <span class="soft">{item.detail}</span>
        </div>
      ))}
    </div>
  );
}
