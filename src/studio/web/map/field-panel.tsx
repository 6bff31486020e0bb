/** One field: where it comes from, how its values are read, and what that gives. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GuessedField, Rule } from '../../../index.js';
import type { Proposal } from '../../wire.js';
import { UntrustedText } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import { fieldsOf, type MappedField, ruleText, wholeName } from '../session/mapping-fields.js';
import type { MappingSession } from '../session/use-session.js';
import { ColumnsPart } from './columns-part.js';
import { FieldFigures } from './field-list.js';
import { labelOf } from './field-names.js';
import { FieldMistakes, Questions } from './questions.js';
import type { RuleEditor } from './rule-editor.js';
import { constant, constantText, partsOf, withFallbackOf, withoutFallback } from './rule-parts.js';
import { StepsPart } from './steps-part.js';
import { TrialPart } from './trial-part.js';

interface PanelProps {
  readonly session: MappingSession;
  readonly field: MappedField;
  close(): void;
  /** Shows the field's rule in the mapping's text. */
  showText(): void;
}

export function FieldPanel({ session, field, close, showText }: PanelProps): JSX.Element {
  const { name, path } = field;
  const [draft, sketch] = useState<Rule>();
  const [chosen, setChosen] = useState<readonly string[]>();
  const back = useRef<HTMLButtonElement>(null);
  const written = JSON.stringify(field.rule);
  useEffect(() => back.current?.focus(), []);
  useEscape(close);
  useEffect(() => sketch(undefined), [written]);
  const rule = draft ?? field.rule;
  const columns = chosen ?? partsOf(field.rule).columns;
  const proposal = useProposal(session, field, columns);
  const editor: RuleEditor = {
    session,
    field,
    rule,
    sketch,
    write: (changed) => {
      sketch(changed);
      setChosen(undefined);
      void session.change({ path, value: changed });
    },
  };
  return (
    <div class="field-panel">
      <div class="row">
        <button type="button" ref={back} onClick={close}>
          ← All fields
        </button>
        {field.rule === undefined ? null : (
          <button type="button" onClick={remove}>
            Remove this field
          </button>
        )}
      </div>
      <h3>
        {labelOf(name)} <span class="soft">{name}</span>
      </h3>
      <FieldFigures session={session} field={field} />
      <Questions session={session} of={(asked) => asked === name} />
      <FieldMistakes session={session} field={field} />
      <Evidence of={guessedField(session, field)} />
      <ColumnsPart editor={editor} chosen={columns} choose={setChosen} />
      <ProposalPart editor={editor} proposal={proposal} isOpen={chosen !== undefined} />
      {rule === undefined ? null : <TrialPart editor={editor} />}
      <ConstantPart editor={editor} />
      <StepsPart editor={editor} />
      {rule === undefined ? null : (
        <p class="row">
          <code>
            <UntrustedText value={ruleText(rule)} />
          </code>
          <button type="button" onClick={showText}>
            Edit in the mapping
          </button>
        </p>
      )}
    </div>
  );

  function remove(): void {
    void session.change({ path });
    close();
  }
}

/** Calls a function on Escape, unless a list or a dialog takes the key. */
function useEscape(act: () => void): void {
  useEffect(() => {
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}

/** Asks for the rules that fill a field from columns. */
function useProposal(
  { text, written }: MappingSession,
  field: MappedField,
  columns: readonly string[],
): Proposal | undefined {
  const body = { text, field: wholeName(field), columns };
  const about = JSON.stringify([body.field, columns, written === null]);
  const { answer } = useAnswer(
    async (signal) => ({ about, proposal: await ask<Proposal>('/api/propose', { body, signal }) }),
    [about],
  );
  return answer?.about === about ? answer.proposal : undefined;
}

/** Ways to read the columns, with the share of the values that each reads. */
function ProposalPart(props: {
  readonly editor: RuleEditor;
  readonly proposal: Proposal | undefined;
  /** Whether the columns were chosen just now, and no rule is written for them yet. */
  readonly isOpen: boolean;
}): JSX.Element | null {
  const { editor, proposal, isOpen } = props;
  const { rule, write } = editor;
  // A rule that fits is written at once; Undo takes it back.
  useEffect(() => {
    if (isOpen && proposal?.rule) write(withFallbackOf(proposal.rule, rule));
  }, [isOpen, proposal]);
  if (proposal === undefined) return null;
  const { formats, evidence } = proposal;
  const own = withoutFallback(rule);
  return (
    <>
      {proposal.rule === null ? (
        <p role="status" class="remark warning">
          <UntrustedText value={evidence} /> {isOpen ? 'Nothing was changed.' : ''}
        </p>
      ) : null}
      {formats.length === 0 ? null : (
        <fieldset>
          <legend>Read as</legend>
          {formats.map(({ label, rule: format, reads, of, example }) => (
            <label class="check" key={label}>
              <input
                type="radio"
                name="format"
                checked={!isOpen && withoutFallback(format) === own}
                onChange={() => write(withFallbackOf(format, rule))}
              />
              <span>
                <UntrustedText value={label} />{' '}
                <span class={reads < of ? 'wrong' : 'soft'}>
                  reads {reads} of {of}
                </span>{' '}
                <span class="soft">
                  <UntrustedText value={example} />
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

function ConstantPart({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { field, rule, sketch, write } = editor;
  const ruleOf = (value: string): Rule => constant(value, field.path[1] === 'metrics');
  return (
    <label>
      Or the same for every record
      <input
        type="text"
        value={constantText(rule) ?? ''}
        placeholder="no fixed value"
        onInput={({ currentTarget: { value } }) => sketch(ruleOf(value))}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') write(ruleOf(value));
        }}
      />
    </label>
  );
}

/** The guess for a field, if the field still has the guessed rule. */
function guessedField(
  session: MappingSession,
  { name, rule }: MappedField,
): GuessedField | undefined {
  const before = fieldsOf(session.guessed).find((one) => one.name === name);
  if (rule === undefined || JSON.stringify(before?.rule) !== JSON.stringify(rule)) return undefined;
  return session.guess?.fields.find(({ field }) => field === name);
}

function Evidence({ of: guessed }: { readonly of: GuessedField | undefined }): JSX.Element | null {
  if (guessed === undefined) return null;
  return (
    <p class="soft">
      Guessed,{' '}
      <span class={`confidence ${guessed.confidence}`}>{guessed.confidence} confidence</span>:{' '}
      <UntrustedText value={guessed.evidence} />
    </p>
  );
}
