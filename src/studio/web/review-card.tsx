/** A document as people read a review: who, when, how many stars, the text, and its labels. */
import type { JSX } from 'preact';
import type { ImportedDocument } from '../../model/document.js';
import { UntrustedText } from './parts.js';

const SENTIMENTS: Readonly<Record<string, string>> = { B: 'good', N: 'neutral', R: 'bad' };

export function ReviewCard({ of: document }: { readonly of: ImportedDocument }): JSX.Element {
  const { author, published, language, sentiment, text, metrics = [], sourceId } = document;
  const labels = [...(document.detectedLocations ?? []), ...(document.tags ?? [])];
  return (
    <article class="review">
      <p class="review-head">
        <b>
          <UntrustedText value={author?.username || 'No author'} />
        </b>
        {published === undefined ? null : <time dateTime={published}>{shownTime(published)}</time>}
        {sentiment ? (
          <span class={`sentiment ${SENTIMENTS[sentiment]}`}>
            {SENTIMENTS[sentiment] ?? sentiment}
          </span>
        ) : null}
      </p>
      <p class="review-text" lang={language}>
        <UntrustedText value={text} />
      </p>
      <p class="review-foot">
        {metrics.map(({ name, value }) => (
          <span key={name}>
            {name === 'score' ? '★ ' : ''}
            <UntrustedText value={`${value} ${name}`} />
          </span>
        ))}
        {labels.map((label) => (
          <span class="tag" key={label}>
            <UntrustedText value={label} />
          </span>
        ))}
        <span class="soft">
          {language} · id <UntrustedText value={sourceId} />
        </span>
      </p>
    </article>
  );
}

/** `2024-06-03T16:30:00.000Z` → `2024-06-03 16:30 UTC`. */
function shownTime(timestamp: string): string {
  return timestamp.replace(/^(.{10})T(.{5}).*$/u, '$1 $2 UTC');
}
