/** A document as a reader of reviews sees it. */
import type { JSX } from 'preact';
import type { ImportedDocument } from '../../index.js';
import { UntrustedText } from './parts.js';

const SENTIMENTS: Readonly<Record<string, readonly [label: string, look: string]>> = {
  B: ['Good', 'valid'],
  N: ['Neutral', 'skipped'],
  R: ['Bad', 'invalid'],
};

export function ReviewCard({ of: document }: { readonly of: ImportedDocument }): JSX.Element {
  const { author, published, metrics = [], sentiment, text, tags = [], language } = document;
  const score = metrics.find(({ name }) => name === 'score')?.value;
  const [label, look] = SENTIMENTS[sentiment ?? ''] ?? [];
  const places = document.detectedLocations?.map((place) => place.replace(/^[^:]*: /u, '')) ?? [];
  return (
    <article class="review" aria-label="The review">
      <p>
        <b>
          <UntrustedText value={author?.username ?? 'No author name'} />
        </b>{' '}
        <span class="soft">
          <UntrustedText value={[dayOf(published), ...places].join(' · ')} />
        </span>
      </p>
      <p>
        {score === undefined ? null : (
          <span>
            <b>{score}</b> of 5{' '}
          </span>
        )}
        {label === undefined ? null : <span class={`outcome ${look}`}>{label}</span>}{' '}
        <span class="soft">{language}</span>
      </p>
      <p class="review-text">
        <UntrustedText value={text ?? null} />
      </p>
      {tags.length === 0 ? null : (
        <p class="tags">
          {tags.map((tag) => (
            <span key={tag}>
              <UntrustedText value={tag} />
            </span>
          ))}
        </p>
      )}
    </article>
  );
}

function dayOf(published: string | undefined): string {
  const time = Date.parse(published ?? '');
  if (Number.isNaN(time)) return 'no date';
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
}
