/** Figures of the sample under the current mapping, and what the last change did to them. */
import type { JSX } from 'preact';
import { figure } from './parts.js';
import { screenAddress } from './session/address.js';
import { type Effect, type MappingSession, OUTCOMES } from './session/use-session.js';

export function HealthStrip({ session }: { readonly session: MappingSession }): JSX.Element {
  const { health, evaluation, mistakes } = session;
  const isOld = evaluation.answer?.health === null;
  return (
    <section class={`health ${isOld ? 'old' : ''}`} aria-label="The sample with this mapping">
      {health === undefined ? null : (
        <p aria-busy={evaluation.waiting}>
          <a href={screenAddress('Records')}>
            {health.whole ? 'All' : 'Sample'} {figure(health.sampled)}
          </a>
          {OUTCOMES.filter((outcome) => outcome !== 'duplicate' || health.duplicate > 0).map(
            (outcome) => (
              <a
                key={outcome}
                class={health[outcome] > 0 ? `outcome ${outcome}` : 'outcome'}
                href={screenAddress('Records', { outcome })}
              >
                {figure(health[outcome])} {outcome}
              </a>
            ),
          )}
        </p>
      )}
      <p role="status">
        {mistakes.some(({ severity }) => severity === 'error')
          ? 'The mapping has a mistake. The figures are those before it.'
          : (evaluation.answer?.failure ?? effectText(evaluation.answer?.effect))}
      </p>
      {evaluation.answer?.effect === undefined || !session.canUndo ? null : (
        <button type="button" class="plain" onClick={session.undo}>
          Undo
        </button>
      )}
    </section>
  );
}

/** For example `+20 invalid, −20 valid`. */
function effectText(effect: Effect | undefined): string {
  if (effect === undefined) return '';
  const parts = effect
    .slice(0, MAX_EFFECTS)
    .map(({ name, by }) => `${by > 0 ? '+' : '−'}${figure(Math.abs(by))} ${name}`);
  return parts.length === 0 ? 'Changed. The figures stay the same.' : parts.join(', ');
}

const MAX_EFFECTS = 4;
