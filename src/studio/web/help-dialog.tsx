/** The list of keys. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [keys: string, effect: string])[] = [
  ['Ctrl S', 'Save, after a look at what changes'],
  ['Ctrl Z', 'Undo a change of the mapping, wherever the focus is'],
  ['Ctrl Y', 'Redo it'],
  ['Ctrl Space', 'Suggest keys, values and columns in the mapping’s text'],
  ['Ctrl M', 'Make Tab indent in the text, or leave it again'],
  ['↑ ↓ Enter', 'Choose in a list'],
  ['Esc', 'Close a list or a dialog'],
  ['?', 'Show this list'],
];

/** Opens the dialog, as the key `?` does outside of text fields. */
export function HelpButton(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const press = ({ key, target }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.matches('input, select, textarea');
      if (key !== '?' || isTyping || document.querySelector('dialog[open]') !== null) return;
      dialog.current?.showModal();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="help"
        aria-label="Help"
        title="Help (?)"
        onClick={() => dialog.current?.showModal()}
      >
        ?
      </button>
      <dialog ref={dialog} class="keys" aria-labelledby="help-title">
        <h2 id="help-title">Keys</h2>
        <dl>
          {KEYS.map(([keys, effect]) => (
            <div key={keys}>
              <dt>
                {keys.split(' ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        <p class="soft">On a Mac, Cmd saves, undoes and redoes, too.</p>
        <form method="dialog" class="actions">
          <button type="submit" class="first">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}
