/** Editor of the mapping's text, with its mistakes marked and listed. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createEditor, type PrismEditor } from 'prism-code-editor';
import { defaultKeymap, editorCommands, setIgnoreTab } from 'prism-code-editor/commands';
import { Button, untrusted } from './parts.js';
import 'prism-code-editor/prism/languages/yaml';
import type { MappingMistake } from '../../index.js';
import { useSession } from './session/use-session.js';

export function YamlEditor() {
  const { text, mistakes, set } = useSession();
  const container = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<PrismEditor>();
  const latest = useRef(set);
  latest.current = set;
  useEffect(() => {
    // Tab moves the focus, so that keyboard users can leave the editor.
    setIgnoreTab(true);
    const onUpdate = (value: string): void => latest.current(value, 'typed');
    const options = { language: 'yaml', value: text, wordWrap: true, onUpdate };
    const made = createEditor(container.current, options, editorCommands(defaultKeymap));
    made.textarea.setAttribute('aria-label', 'The mapping');
    made.textarea.setAttribute('aria-describedby', 'mistakes');
    made.textarea.focus();
    setEditor(made);
    return () => made.remove();
  }, []);
  // In the same task as rendering: the user may have typed more by a later one.
  useLayoutEffect(() => {
    if (editor !== undefined && editor.value !== text) replaceText(editor, text);
    // On each render: an edit and its undo in between leave the text as it was drawn last.
  });
  useEffect(() => {
    if (editor !== undefined) markLines(editor, mistakes);
  });
  return (
    <>
      <div class="editor-place">
        <div class="editor" ref={container} />
      </div>
      <div id="mistakes" role="status">
        {mistakes.length === 0 && <p>No mistakes.</p>}
        <ul>
          {mistakes.map((mistake) => (
            <li key={`${mistake.offset} ${mistake.message}`} class={mistake.severity}>
              <Button
                class="plain link"
                text={`Line ${mistake.line}`}
                onClick={() => editor && jumpTo(editor, mistake)}
              />{' '}
              {untrusted(mistake.message)}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** Replaces the text and keeps the caret and scroll positions. */
function replaceText(editor: PrismEditor, text: string): void {
  const { selectionStart, scrollTop } = editor.textarea;
  editor.setOptions({ value: text });
  editor.textarea.setSelectionRange(selectionStart, selectionStart);
  editor.textarea.scrollTop = scrollTop;
}

/** Marks lines with mistakes. Must run after each update, as the editor recreates changed lines. */
function markLines({ lines }: PrismEditor, mistakes: readonly MappingMistake[]): void {
  for (const line of lines) line.classList.remove('error', 'warning');
  for (const { line, severity } of mistakes) lines[line]?.classList.add(severity);
}

function jumpTo({ textarea, lines }: PrismEditor, { offset, end, line }: MappingMistake): void {
  textarea.focus();
  textarea.setSelectionRange(offset, end);
  lines[line]?.scrollIntoView({ block: 'center' });
}
