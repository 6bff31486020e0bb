/** The mapping's text, its mistakes marked in their lines. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { createEditor, type PrismEditor } from 'prism-code-editor';
import { defaultKeymap, editorCommands, setIgnoreTab } from 'prism-code-editor/commands';
import 'prism-code-editor/prism/languages/yaml';
import type { MappingMistake } from '../../index.js';
import { Foreign } from './parts.js';
import { Suggestions } from './suggestions.js';

export interface EditorProps {
  readonly text: string;
  readonly mistakes: readonly MappingMistake[];
  type(text: string): void;
}

export function YamlEditor({ text, mistakes, type }: EditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<PrismEditor>();
  const latest = useRef(type);
  latest.current = type;
  // One editor for as long as it is shown.
  useEffect(() => {
    // Tab leads on, as everywhere on the page: whoever has no mouse must get out again.
    setIgnoreTab(true);
    const made = createEditor(
      place.current,
      {
        language: 'yaml',
        value: text,
        wordWrap: false,
        onUpdate: (value) => latest.current(value),
      },
      editorCommands(defaultKeymap),
    );
    made.textarea.setAttribute('aria-label', 'The mapping');
    made.textarea.setAttribute('aria-describedby', 'mistakes');
    made.textarea.setAttribute('aria-autocomplete', 'list');
    setEditor(made);
    return () => made.remove();
  }, []);
  // In the task that draws the page: until a later one, more may have been typed.
  useLayoutEffect(() => {
    if (editor !== undefined && editor.value !== text) replaceText(editor, text);
  }, [editor, text]);
  useEffect(() => {
    if (editor !== undefined) markLines(editor, mistakes);
  });
  return (
    <>
      <div class="editor-place">
        <div class="editor" ref={place} />
        {editor === undefined ? null : <Suggestions editor={editor} />}
      </div>
      <Mistakes of={mistakes} show={(mistake) => editor && jumpTo(editor, mistake)} />
    </>
  );
}

/** Leaves the caret about where it was. */
function replaceText(editor: PrismEditor, text: string): void {
  const { selectionStart, scrollTop } = editor.textarea;
  editor.setOptions({ value: text });
  editor.textarea.setSelectionRange(selectionStart, selectionStart);
  editor.textarea.scrollTop = scrollTop;
}

/** The editor draws its lines anew whenever they change. */
function markLines({ lines }: PrismEditor, mistakes: readonly MappingMistake[]): void {
  for (const line of lines) line.classList.remove('wrong', 'todo');
  for (const { line, severity } of mistakes) {
    lines[line]?.classList.add(severity === 'error' ? 'wrong' : 'todo');
  }
}

function jumpTo({ textarea, lines }: PrismEditor, { offset, end, line }: MappingMistake): void {
  textarea.focus();
  textarea.setSelectionRange(offset, end);
  lines[line]?.scrollIntoView({ block: 'center' });
}

function Mistakes(props: {
  readonly of: readonly MappingMistake[];
  show(mistake: MappingMistake): void;
}): JSX.Element {
  const { of: mistakes, show } = props;
  return (
    <div id="mistakes" role="status" class="mistakes">
      {mistakes.length === 0 ? <p>No mistakes.</p> : null}
      <ul>
        {mistakes.map((mistake) => (
          <li key={`${mistake.offset} ${mistake.message}`} class={mistake.severity}>
            <button type="button" class="plain" onClick={() => show(mistake)}>
              Line {mistake.line}
            </button>{' '}
            <Foreign value={mistake.message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
