/** The list of keys. */
import { Button, Dialog } from './parts.js';
import { useSession } from './session/use-session.js';

const KEYS: Readonly<Record<string, string>> = {
  'Ctrl S': 'Save, after a look at what changes',
  'Ctrl Z': 'Undo a change of the mapping, wherever the focus is',
  'Ctrl Y': 'Redo it',
  'Ctrl Space': 'Suggest keys, values and columns in the mapping’s text',
  'Ctrl M': 'Make Tab indent in the text, or leave it again',
  '↑ ↓ Enter': 'Choose in a list',
  Esc: 'Close a list, a field or a dialog',
  '?': 'Show this list',
};

export function HelpDialog() {
  const { close } = useSession();
  return (
    <Dialog title="Keys" class="keys">
      <dl>
        {Object.entries(KEYS).map(([keys, effect]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((one) => [<kbd key={one}>{one}</kbd>, ' '])}</dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <p class="soft">On a Mac, Cmd saves, undoes and redoes, too.</p>
      <div class="actions">
        <Button text="Close" class="first" onClick={close} />
      </div>
    </Dialog>
  );
}
