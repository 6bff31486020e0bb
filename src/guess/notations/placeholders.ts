/** Texts that exports write where there is no value. */

const PLACEHOLDER =
  /^(?:nan|null|none|nil|undefined|missing|unknown|n\/?a|n\.a\.|k\.a\.|\\n|[-–—]+|\?|(?:not|no) (?:available|rated|provided|rating|score|date)|0000-00-00.*)$/iu;

/** What booking sites write where a guest wrote nothing. */
const NO_TEXT =
  /^(?:no (?:negative|positive)s?|there are no comments available for this review|es gibt keine kommentare zu dieser bewertung|no hay comentarios disponibles para esta (?:valoración|opinión)|il n['’]y a pas de commentaires? pour cette évaluation|er zijn geen opmerkingen bij deze beoordeling|não há comentários disponíveis para esta avaliação)\.?$/iu;

/** Of texts, those that stand for "nothing was written" and come more than once. */
export function absentWords(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    if (!isPlaceholder(text) && !NO_TEXT.test(text)) continue;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([text]) => text);
}

/** Other texts than numbers and dates that stand for none, if they are as few and come as often. */
const MAX_STRAYS = 3;

/** Whether a text says that there is no value. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 20 && PLACEHOLDER.test(text);
}

/**
 * Of a column's texts that could not be read, those that stand for "none": placeholders, and a few
 * words that repeat. What is unlike the others once is a slip.
 */
export function absentTexts(unread: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of unread) counts.set(text, (counts.get(text) ?? 0) + 1);
  const strays = [...counts].filter(([text]) => !isPlaceholder(text));
  const repeated = strays.filter(([text, count]) => count > 1 && text.length <= 40);
  return [
    ...[...counts.keys()].filter(isPlaceholder),
    ...(strays.length <= MAX_STRAYS ? repeated.map(([text]) => text) : []),
  ];
}
