/** Types of cells, told by their text alone; names of columns have none of them. */
export type CellType = 'number' | 'rating' | 'date' | 'time' | 'link' | 'boolean' | 'code';

const PATTERNS: readonly (readonly [CellType, RegExp])[] = [
  ['number', /^[-+]?(?:[$€£¥]\s?)?\d+(?:[.,' \u00a0]\d+)*\s?[%$€£¥]?$/u],
  ['time', /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?$/iu],
  // 2024-01-31T10:00, 31.1.24; March 3rd, 2024; 3 de marzo de 2024; 2024년 3월 5일.
  ['date', /^\d{1,4}([-./])\d{1,2}\1\d{1,4}\.?(?:[T ,].{1,24})?$/u],
  [
    'date',
    /^(?=\D{0,24}\d)[\p{L}\p{M}\d.,:\s-]*(?<![\d\p{L}])(?:19|20)\d\d(?![\dA-Za-z])[\p{L}\p{M}\d.,:\s-]*$/u,
  ],
  // 3 months ago, vor 3 Monaten, il y a 3 mois, hace 3 meses, 3일 전.
  ['date', /^(?:(?:an?|\d+) \p{L}+ ago|(?:vor|il y a|hace|há) \S+ \p{L}+|\d+\p{L}{1,2} 전)$/iu],
  ['link', /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+\.[^\s@]+)$/iu],
  ['rating', /^[★☆⭐✩✭✰]+$/u],
  ['rating', /^\d+(?:[.,]\d+)? ?(?:\/|(?:out )?of|von|de|sur|su) ?\d+(?: \p{L}+)?$/iu],
  ['rating', /^\d(?:[.,]\d)? (?:stars?|sterne?|étoiles?|estrellas?|stelle|estrelas?)$/iu],
  ['boolean', /^(?:true|false)$/iu],
  ['code', /^(?:(?=\S*\d)(?=\S*[a-z])[\w-]{12,}|[A-Z]{1,4}-?\d{4,})$/iu],
];

/** Longer cells are texts, unless they are addresses. */
const MAX_LENGTH = 40;

/** Type of a trimmed cell; `undefined` for words and blanks. */
export function cellType(text: string): CellType | undefined {
  if (text.length > MAX_LENGTH && !/^https?:/iu.test(text)) return undefined;
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
}
