/** The mapping's text to be edited, with its mistakes listed. */
import { useEffect, useRef } from 'preact/hooks';
import type { MappingMistake } from '../../index.js';
import { Button, untrusted } from './parts.js';
import { useSession } from './session/use-session.js';

export function YamlEditor() {
  const { text, mistakes, set } = useSession();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  return (
    <>
      <textarea
        ref={area}
        aria-label="The mapping"
        aria-describedby="mistakes"
        spellcheck={false}
        wrap="off"
        value={text}
        onInput={({ currentTarget }) => set(currentTarget.value, 'typed')}
      />
      <div id="mistakes" role="status">
        {mistakes.length === 0 && <p>No mistakes.</p>}
        <ul>
          {mistakes.map((mistake) => (
            <li key={`${mistake.offset} ${mistake.message}`} class={mistake.severity}>
              <Button
                class="plain link"
                text={`Line ${mistake.line}`}
                onClick={() => area.current && jumpTo(area.current, mistake)}
              />{' '}
              {untrusted(mistake.message)}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function jumpTo(area: HTMLTextAreaElement, { offset, end, line }: MappingMistake): void {
  area.focus();
  area.setSelectionRange(offset, end);
  // Browsers don't scroll to a selection. All lines are equally high.
  const lines = area.value.split('\n').length;
  area.scrollTop = (area.scrollHeight * line) / lines - area.clientHeight / 2;
}
