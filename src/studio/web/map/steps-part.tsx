/** The steps of a rule that have a control: range, thresholds, fallback, and how dates are read. */
import type { JSX } from 'preact';
import { isObject } from '../../../model/record.js';
import { ChoiceList } from '../choice-list.js';
import type { RuleEditor } from './rule-editor.js';
import { constant, constantText, objectOf, partsOf, withStep } from './rule-parts.js';

export function StepsPart({ editor }: { readonly editor: RuleEditor }): JSX.Element | null {
  const { rule } = editor;
  if (rule === undefined || partsOf(rule).kind === 'constant') return null;
  const { scale, bands, date } = objectOf(rule);
  return (
    <>
      {scale === undefined ? null : <ScalePart editor={editor} />}
      {bands === undefined ? null : <BandsPart editor={editor} />}
      {date === undefined ? null : <DatePart editor={editor} formats={[date].flat()} />}
      <FallbackPart editor={editor} />
    </>
  );
}

/** A number that shows its effect while it is typed, and is written when that ends. */
function NumberInput(props: {
  readonly label: string;
  readonly value: number;
  type(value: number): void;
  write(value: number): void;
}): JSX.Element {
  const { label, value, type, write } = props;
  return (
    <label>
      {label}
      <input
        type="number"
        step="any"
        required
        value={value}
        onInput={({ currentTarget }) => {
          if (currentTarget.validity.valid) type(currentTarget.valueAsNumber);
        }}
        onChange={({ currentTarget }) => {
          if (currentTarget.validity.valid) write(currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}

const ENDS = [
  ['from', 0, 'Lowest'],
  ['from', 1, 'Highest'],
  ['to', 0, 'Lowest becomes'],
  ['to', 1, 'Highest becomes'],
] as const;

function ScalePart({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { rule, sketch, write } = editor;
  const scale = objectOf(rule).scale ?? { from: [0, 10], to: [1, 5] };
  return (
    <fieldset>
      <legend>Range</legend>
      <div class="row">
        {ENDS.map(([side, end, label]) => {
          const changed = (value: number) =>
            withStep(rule, 'scale', { ...scale, [side]: scale[side].with(end, value) });
          return (
            <NumberInput
              key={label}
              label={label}
              value={scale[side][end]}
              type={(value) => sketch(changed(value))}
              write={(value) => write(changed(value))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

const SENTIMENTS: Readonly<Record<string, string>> = { B: 'Good', N: 'Neutral', R: 'Bad' };

function BandsPart({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { rule, sketch, write } = editor;
  const bands = objectOf(rule).bands ?? {};
  return (
    <fieldset>
      <legend>Thresholds</legend>
      <div class="row">
        {Object.entries(bands).map(([label, bound]) => {
          const changed = (value: number) => withStep(rule, 'bands', { ...bands, [label]: value });
          return (
            <NumberInput
              key={label}
              label={`${SENTIMENTS[label] ?? label} from`}
              value={bound}
              type={(value) => sketch(changed(value))}
              write={(value) => write(changed(value))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}

/** Options that hold for all dates of the mapping. */
function DatePart(props: {
  readonly editor: RuleEditor;
  readonly formats: readonly string[];
}): JSX.Element {
  const { session } = props.editor;
  const written = isObject(session.written) ? session.written : {};
  const options = [
    ['zone', 'Time zone', 'UTC', 'text', true],
    [
      'locale',
      'Language of month names',
      'en',
      'text',
      props.formats.some((one) => one.includes('MMM')),
    ],
    ['asOf', 'Day of the export', '', 'date', props.formats.includes('relative')],
  ] as const;
  return (
    <fieldset>
      <legend>All dates</legend>
      <div class="row">
        {options.map(([key, label, fallback, type, isNeeded]) =>
          isNeeded ? (
            <label key={key}>
              {label}
              <input
                type={type}
                list={key === 'zone' ? 'zones' : undefined}
                placeholder={fallback}
                value={String(written[key] ?? '')}
                // Browsers report a date's change with each digit of the year.
                onBlur={({ currentTarget: { value } }) => {
                  if (value === String(written[key] ?? '')) return;
                  void session.change({ path: [key], ...(value === '' ? {} : { value }) });
                }}
              />
            </label>
          ) : null,
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

/** Value of records that have none, or none that can be read. */
function FallbackPart({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { session, field, rule, sketch, write } = editor;
  const { else: fallback, onError } = objectOf(rule);
  const parts = partsOf(fallback);
  const ruleOf = (value: string) =>
    withStep(
      value === '' ? withStep(rule, 'onError', undefined) : rule,
      'else',
      value === '' ? undefined : constant(value, field.path[1] === 'metrics'),
    );
  return (
    <fieldset>
      <legend>If it’s empty</legend>
      <div class="row">
        <label>
          Use this value
          <input
            type="text"
            placeholder="leave the field out"
            value={constantText(fallback) ?? ''}
            onInput={({ currentTarget: { value } }) => sketch(ruleOf(value))}
            onChange={({ currentTarget: { value } }) => write(ruleOf(value))}
          />
        </label>
        <ChoiceList
          label="Or another column"
          {...(parts.columns.length > 0 ? { current: parts.columns.join(', ') } : {})}
          groups={[
            {
              title: 'Columns',
              choices: session.columns.map(({ name, example }) => ({
                text: name,
                detail: example,
                choose: () => write(withStep(rule, 'else', fromColumn(name))),
              })),
            },
          ]}
        />
      </div>
      {fallback === undefined ? null : (
        <label class="check">
          <input
            type="checkbox"
            checked={onError === 'else'}
            onChange={({ currentTarget: { checked } }) =>
              write(withStep(rule, 'onError', checked ? 'else' : undefined))
            }
          />
          Also if it can’t be read
        </label>
      )}
    </fieldset>
  );
}

function fromColumn(name: string): string | { from: string } {
  return /[{}]/u.test(name) ? { from: name } : `{${name}}`;
}
