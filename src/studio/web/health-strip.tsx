/** Figures of the sample under the current mapping, and what the last change did to them. */
import { Button, counted, figure } from './parts.js';
import { screenAddress } from './session/address.js';
import { type Effect, useSession } from './session/use-session.js';

const MAX_EFFECTS = 4;

export function HealthStrip() {
  const { health, outcomes, evaluation, isWrong, canUndo, undo } = useSession();
  const { failure = null, effect } = evaluation.answer ?? {};
  return (
    <section class="health" aria-label="The sample with this mapping">
      {health !== undefined && (
        <p aria-busy={evaluation.waiting}>
          <a href={screenAddress('Records')}>
            {health.whole ? 'All' : 'Sample'} {figure(health.sampled)}
          </a>
          {outcomes.map((outcome) => (
            <a
              key={outcome}
              class={health[outcome] > 0 ? outcome : ''}
              href={screenAddress('Records', { outcome })}
            >
              {figure(health[outcome])} {outcome}
            </a>
          ))}
        </p>
      )}
      <p role="status">
        {isWrong
          ? `The mapping has a mistake.${health ? ' The figures are those before it.' : ''}`
          : (failure ?? (effect && effectText(effect)))}
      </p>
      {effect !== undefined && canUndo && <Button text="Undo" class="plain link" onClick={undo} />}
    </section>
  );
}

/** For example `+20 invalid, −20 valid, language of 7 documents changed`. */
function effectText({ counts, changed }: Effect): string {
  const parts = [
    ...counts.map(({ name, by }) => `${by > 0 ? '+' : '−'}${figure(Math.abs(by))} ${name}`),
    ...Object.entries(changed).map(([field, n]) => `${field} of ${counted(n, 'document')} changed`),
  ];
  return parts.slice(0, MAX_EFFECTS).join(', ') || 'Changed. The documents stay the same.';
}
