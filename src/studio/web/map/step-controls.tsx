/** Controls for the steps of a rule, and for how all dates are read. */
import type { ComponentProps } from 'preact';
import type { Rule } from '../../../index.js';
import { objectOf, withStep } from '../../../operations/studio/rule-parts.js';
import { Button, Input, Select } from '../parts.js';
import type { MappedField } from '../session/mapping-fields.js';
import { useSession } from '../session/use-session.js';
import { ColumnChoice } from './columns.js';
import { type Control, isRead, type RuleStep, STEPS } from './rule-steps.js';

/** Makes a rule of another one; `undefined` if nothing is to be changed. */
export type RuleChange = (rule: Rule | undefined) => Rule | undefined;

export interface StepsProps {
  field: MappedField;
  /** The rule in the mapping, or a draft while the user types. */
  rule: Rule | undefined;
  /** Shows a rule's effect without writing it. */
  sketch(rule: Rule | undefined): void;
  /** Changes the rule that the edits before leave in the mapping. */
  write(change: RuleChange): void;
}

export function RuleSteps(props: StepsProps) {
  const { field, rule, write } = props;
  const missing = STEPS.flatMap(({ added }) =>
    added && isRead(rule) && objectOf(rule)[added.key] === undefined && added.fits(field.name)
      ? [added]
      : [],
  );
  return (
    <>
      {STEPS.map((step) => (
        <OneStep key={step.title} step={step} {...props} />
      ))}
      <DateOptions rule={rule} />
      <div class="actions">
        {missing.map(({ key, button, initial }) => (
          <Button
            key={key}
            text={button}
            onClick={() => write((latest) => withStep(latest, key, initial as never))}
          />
        ))}
      </div>
    </>
  );
}

type StepProps = StepsProps & { step: RuleStep };

function OneStep(props: StepProps) {
  const { step, field, rule, write } = props;
  const { title, added } = step;
  const controls = step
    .controls(rule, field)
    .map((of) => <OneControl key={of.label} of={of} {...props} />);
  if (title === '' || controls.length === 0) return <>{controls}</>;
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="row">
        {controls}
        {added && (
          <Button
            text="Remove"
            onClick={() => write((latest) => withStep(latest, added.key, undefined))}
          />
        )}
      </div>
    </fieldset>
  );
}

function OneControl({ of, step, field, sketch, write }: StepProps & { of: Control }) {
  const { label, type, value, options = [], rule } = of;
  const choose = (other: string): void =>
    write((latest) => {
      const controls = step.controls(latest, field);
      return controls.find((one) => one.label === label)?.rule(other);
    });
  switch (type) {
    case 'column':
      return <ColumnChoice label={label} choose={choose} {...(value && { current: value })} />;
    case 'select':
      return <Select label={label} value={value} options={options} choose={choose} />;
    case 'checkbox': {
      const toggle = () => choose(value === '' ? 'on' : '');
      return <Input type="checkbox" label={label} checked={value !== ''} write={toggle} />;
    }
    default: {
      const number = type === 'number' && { required: true, step: 'any' };
      const show = (other: string): void => sketch(rule(other));
      return (
        <Input label={label} type={type} value={value} {...number} sketch={show} write={choose} />
      );
    }
  }
}

/** Options that hold for all dates of the mapping. */
function DateOptions({ rule }: { rule: Rule | undefined }) {
  const { written, asOf = String(Object(written).asOf ?? ''), setDay } = useSession();
  const formats = [objectOf(rule).date ?? []].flat();
  if (formats.length === 0) return null;
  return (
    <fieldset>
      <legend>All dates</legend>
      <div class="row">
        <Setting of="zone" label="Time zone" list="zones" placeholder="UTC" />
        {formats.some((one) => one.includes('MMM')) && (
          <Setting of="locale" label="Language of month names" />
        )}
        {formats.includes('relative') && (
          <Input label="Day of the export" type="date" value={asOf} write={setDay} />
        )}
      </div>
      <datalist id="zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </datalist>
    </fieldset>
  );
}

/**
 * A value at the top of the mapping.
 * @param of its key
 */
export function Setting({ of, ...props }: { of: string } & ComponentProps<typeof Input>) {
  const { written, edit } = useSession();
  const value = String(Object(written)[of] ?? '');
  const write = (text: string) =>
    text === value || edit({ changes: [{ path: [of], ...(text !== '' && { value: text }) }] });
  return <Input {...props} value={value} write={write} />;
}
