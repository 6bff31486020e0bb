/** One field: where it comes from, how its values are read, and what that gives. */
import { useEffect, useState } from 'preact/hooks';
import type { Rule } from '../../../index.js';
import { mainColumns } from '../../../mapping/rules.js';
import { valueAt } from '../../../model/json-path.js';
import type { Proposal, Trial } from '../../wire.js';
import { Button, figure, Head, untrusted } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { labelOf, type MappedField, mappingFields } from '../session/mapping-fields.js';
import { type MappingSession, useSession } from '../session/use-session.js';
import { Checklist } from './checklist.js';
import { Columns } from './columns.js';
import { FieldFigures } from './field-list.js';
import { FieldMistakes, Questions } from './questions.js';
import { sketchColumns } from './rule-steps.js';
import { type RuleChange, RuleSteps, type StepsProps } from './step-controls.js';
import { UnreadValues } from './unread-values.js';

type FormatChoice = Proposal['formats'][number];

export function FieldPanel({ field, close }: { field: MappedField; close(): void }) {
  const session = useSession();
  const { name, path } = field;
  const [draft, sketch] = useState<Rule>();
  const written = JSON.stringify(field.rule);
  const rule = draft ?? field.rule;
  // What is only typed doesn't count.
  const columns = mainColumns(field.rule);
  const proposal = useProposal(session, field, columns);
  const write = (change: RuleChange): void =>
    session.edit((latest) => {
      const value = change(valueAt(latest, path) as Rule | undefined);
      return { changes: value === undefined ? [] : [{ path, value }] };
    });
  const choose = (chosen: readonly string[]): void => {
    const shown = [{ path, value: sketchColumns(field.rule, chosen) }];
    session.edit({ path, columns: chosen, shown });
  };
  const take = ({ label, rule: value }: FormatChoice): void =>
    session.edit({ path, columns, format: label, shown: [{ path, value }] });
  useEffect(() => sketch(undefined), [written]);
  return (
    <section
      class="field-panel"
      aria-label={labelOf(name)}
      // Unless a list takes the key.
      onKeyDown={({ key }) =>
        key === 'Escape' && document.querySelector(':popover-open') === null && close()
      }
    >
      <div class="row">
        <Button ref={takeFocus} text="← All fields" onClick={close} />
        {field.rule !== undefined && <Button text="Remove this field" onClick={remove} />}
      </div>
      <h3>
        {labelOf(name)} <span class="soft">{name}</span>
      </h3>
      <FieldFigures field={field} />
      <Questions of={(asked) => asked === name} />
      <FieldMistakes field={field} />
      <Evidence field={field} />
      <Columns field={name} chosen={columns} choose={choose} />
      <Checklist field={field} isKept />
      <p role="status" class="todo">
        {proposal?.refusal && untrusted(proposal.refusal)}
      </p>
      <Formats of={proposal?.formats ?? []} written={written} take={take} />
      {rule !== undefined && <Effect field={field} rule={draft} sketch={sketch} write={write} />}
      <RuleSteps field={field} rule={rule} sketch={sketch} write={write} />
      {rule !== undefined && <code>{untrusted(rule)}</code>}
    </section>
  );

  function remove(): void {
    session.edit({ changes: [{ path }] });
    close();
  }
}

const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Asks for the rules that fill a field from columns. */
function useProposal(
  { text, asOf, written, isEvaluated }: MappingSession,
  field: MappedField,
  columns: readonly string[],
): Proposal | undefined {
  const about = JSON.stringify([field.path, columns, written === null]);
  const load = async (signal: AbortSignal) => ({
    about,
    proposal: await ask('propose', { text, asOf, path: field.path, columns }, signal),
  });
  const { answer } = useAnswer(isEvaluated ? load : undefined, [about, text, isEvaluated]);
  return answer?.about === about ? answer.proposal : undefined;
}

interface FormatsProps {
  of: readonly FormatChoice[];
  /** The field's rule as JSON. */
  written: string | undefined;
  take(format: FormatChoice): void;
}

/** Ways to read the columns, with the share of the values that each reads. */
function Formats({ of: formats, written, take }: FormatsProps) {
  if (formats.length === 0) return null;
  // A format that was just taken is the rule, before the next proposal says so.
  const taken = formats.find(({ rule }) => JSON.stringify(rule) === written);
  const current = taken ?? formats.find(({ isCurrent }) => isCurrent);
  return (
    <fieldset>
      <legend>Read as</legend>
      {formats.map((format) => (
        <label class="check" key={format.label}>
          <input
            type="radio"
            name="format"
            checked={format === current}
            onChange={() => take(format)}
          />
          <span>
            {untrusted(format.label)}{' '}
            <span
              class={format.reads < format.of ? 'wrong' : 'soft'}
            >{`reads ${Math.floor((100 * format.reads) / format.of)}%`}</span>{' '}
            <span class="soft">{untrusted(format.example)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The guess for a field, as long as the field has the guessed rule. */
function Evidence({ field: { name, rule } }: { field: MappedField }) {
  const { guessed } = useSession();
  const before = mappingFields(guessed?.written).find((one) => one.name === name);
  const found = guessed?.guess.fields.find(({ field }) => field === name);
  const isSame = rule !== undefined && JSON.stringify(before?.rule) === JSON.stringify(rule);
  if (!isSame || found === undefined) return null;
  const { confidence, evidence } = found;
  return (
    <p class="soft">
      Guessed, <b class={confidence}>{confidence} confidence</b>: {untrusted(evidence)}
    </p>
  );
}

/**
 * A rule's results for values of the sample, before it is written and after.
 * @param draft what is being typed
 */
function Effect({ field: { path, rule }, rule: draft, sketch, write }: StepsProps) {
  const trial = useTrial(path, rule);
  const drafted = useTrial(path, draft);
  const { answer, refused, waiting } = draft === undefined ? trial : drafted;
  const problem = refused?.message ?? answer?.problem ?? null;
  return (
    <section class="trial" aria-label="Effect" aria-busy={waiting}>
      {answer !== undefined && refused === undefined && (
        <>
          <p role="status">
            {figure(answer.filled)} of {figure(answer.of)} filled
            {answer.unreadable > 0 && `, ${figure(answer.unreadable)} can’t be read`}
          </p>
          <Samples of={answer} />
        </>
      )}
      {problem !== null && <p class="wrong">{untrusted(problem)}</p>}
      {rule !== undefined && trial.answer !== undefined && (
        <UnreadValues rule={rule} of={trial.answer} sketch={sketch} write={write} />
      )}
    </section>
  );
}

/** Tries a rule with the settings of the mapping, after the sample has been. */
function useTrial(path: MappedField['path'], rule: Rule | undefined) {
  const { text, asOf, isEvaluated } = useSession();
  const load = (signal: AbortSignal) => ask('try', { text, asOf, path, rule: rule ?? '' }, signal);
  return useAnswer(rule && isEvaluated ? load : undefined, [
    JSON.stringify([path, rule]),
    text,
    isEvaluated,
  ]);
}

function Samples({ of: { samples } }: { of: Trial }) {
  return (
    <table class="values">
      <Head of={['Value', 'becomes']} />
      <tbody>
        {samples.map(({ record, inputs, output, problem }) => (
          <tr key={record}>
            <td>
              <div>{untrusted(inputs.join('\n'))}</div>
            </td>
            <td class={problem === null ? '' : 'wrong'}>
              <div>{problem === null ? untrusted(output) : 'can’t be read'}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
