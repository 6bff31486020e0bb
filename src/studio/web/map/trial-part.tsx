/** Effect of a rule on the sample's values, before it is written and after. */
import type { JSX } from 'preact';
import type { Trial } from '../../wire.js';
import { figure, UntrustedText } from '../parts.js';
import { ask, useAnswer } from '../session/ask.js';
import type { RuleEditor } from './rule-editor.js';

export function TrialPart({ editor }: { readonly editor: RuleEditor }): JSX.Element {
  const { session, field, rule } = editor;
  const body = { text: session.text, path: field.path, rule };
  const trial = useAnswer(
    (signal) => ask<Trial>('/api/try', { body, signal }),
    [JSON.stringify([field.path, rule]), session.text],
  );
  const { answer, refused } = trial;
  return (
    <section class="trial" aria-label="Effect" aria-busy={trial.waiting}>
      {refused === undefined ? null : (
        <p class="remark wrong">
          <UntrustedText value={refused.message} />
        </p>
      )}
      {answer === undefined || refused !== undefined ? null : (
        <>
          <p role="status">
            {figure(answer.filled)} of {figure(answer.of)} filled
            {answer.unreadable === 0 ? '' : `, ${figure(answer.unreadable)} can’t be read`}
          </p>
          {answer.problem === null ? null : (
            <p class="remark wrong">
              <UntrustedText value={answer.problem} />
            </p>
          )}
          <Samples of={answer} />
        </>
      )}
    </section>
  );
}

function Samples({ of: { samples } }: { readonly of: Trial }): JSX.Element | null {
  if (samples.length === 0) return null;
  return (
    <table class="values">
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">becomes</th>
        </tr>
      </thead>
      <tbody>
        {samples.map(({ record, inputs, output, problem }) => (
          <tr key={record}>
            <td>
              <div class="sample">
                {Object.values(inputs).map((input, index) => (
                  <div key={index}>
                    <UntrustedText value={input} />
                  </div>
                ))}
              </div>
            </td>
            <td>
              <div class={problem === null ? 'sample' : 'sample wrong'}>
                {problem === null ? <UntrustedText value={output} /> : 'can’t be read'}
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
