/** Values that a rule can't read, each with the edits for it and the number of records that they change. */
import type { Rule } from '../../../index.js';
import { mainColumns } from '../../../mapping/rules.js';
import { emptyIfUnread, findsWholeValues, readAs } from '../../../operations/studio/rule-parts.js';
import type { Trial } from '../../wire.js';
import { Button, counted, Input, untrusted } from '../parts.js';
import { useSession } from '../session/use-session.js';
import { skipChanges } from './skip-rules.js';
import type { StepsProps } from './step-controls.js';

interface UnreadProps extends Pick<StepsProps, 'sketch' | 'write'> {
  /** The rule in the mapping, and its trial. */
  rule: Rule;
  of: Trial;
}

export function UnreadValues({ rule, of, sketch, write }: UnreadProps) {
  const { edit } = useSession();
  const [column = ''] = mainColumns(rule);
  const readable = of.samples.find(({ problem, output }) => problem === null && output !== null);
  const leaveOut = (value: string): void =>
    edit((latest) => ({ changes: skipChanges(latest, column, value) }));
  return (
    <>
      <ul class="fields" aria-label="Values that can’t be read">
        {of.unread.map(({ value, records }) => (
          <li key={value}>
            {untrusted(value)} <span class="soft">in {counted(records, 'record')}</span>
            <div class="row">
              {findsWholeValues(rule) && (
                <Input
                  label={<>Read {untrusted(value)} as</>}
                  placeholder={readable?.inputs[0]}
                  sketch={(text) => sketch(text === '' ? undefined : readAs(rule, value, text))}
                  write={(text) => text !== '' && write((latest) => readAs(latest, value, text))}
                />
              )}
              <Button
                text={`Leave out ${counted(records, 'record')}`}
                aria-label={`Leave out ${counted(records, 'record')} with ${value}`}
                onClick={() => leaveOut(value)}
              />
            </div>
          </li>
        ))}
      </ul>
      {of.unreadable > 0 && of.isOptional && emptyIfUnread(rule) !== undefined && (
        <Button
          text={`Leave the field empty in ${counted(of.unreadable, 'record')}`}
          onClick={() => write(emptyIfUnread)}
        />
      )}
    </>
  );
}
