/** Languages as columns name them: by a code, or by a name in one of several languages. */
import { plainText } from '../lexicon/name-concepts.js';

const CODES = (
  'af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko ' +
  'lt lv mk ml mn mr ms mt nb ne nl nn no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh'
).split(' ');
const NAMED_IN = ['en', 'es', 'fr', 'de', 'pt', 'nl', 'cs'];
let names: ReadonlyMap<string, string> | undefined;

/** Names of languages, in their own language as well, without case and accents. */
function languageNames(): ReadonlyMap<string, string> {
  if (names !== undefined) return names;
  const made = new Map<string, string>();
  for (const code of CODES) {
    for (const locale of [...NAMED_IN, code]) {
      const name = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code);
      if (name !== undefined) made.set(plainText(name), code);
    }
  }
  names = made;
  return made;
}

/** A column of languages. */
export interface LanguageColumn {
  readonly share: number;
  /** `code`: two letters as they are wanted; `tag`: such as en-US or EN; `name`: anything else. */
  readonly kind: 'code' | 'tag' | 'name';
  /** What each value found stands for. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Reads a column's values as languages; nothing when most are none. */
export function languageColumn(distinct: readonly string[]): LanguageColumn | undefined {
  if (distinct.length === 0 || distinct.length > 150) return undefined;
  const codes = distinct.flatMap((text) => {
    const code = languageCode(text);
    return code === undefined ? [] : [[text, code] as const];
  });
  const share = codes.length / distinct.length;
  if (share < 0.6) return undefined;
  const isCode = codes.every(([text, code]) => text === code);
  const isTag = codes.every(
    ([text, code]) => text.slice(0, 2).toLowerCase() === code && /^[a-z]{2}(?:[-_]|$)/iu.test(text),
  );
  return {
    share,
    kind: isCode ? 'code' : isTag ? 'tag' : 'name',
    codes: Object.fromEntries(codes),
  };
}

function languageCode(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const code = /^([a-z]{2,3})(?:[-_][a-z]{2,4}){0,2}$/iu.exec(text)?.[1]?.toLowerCase();
  const known = code === 'cz' ? 'cs' : Intl.getCanonicalLocales(code)[0];
  if (known !== undefined && CODES.includes(known)) return known;
  return (
    languageNames().get(plainText(text)) ??
    languageNames().get(plainText(text.replace(/\s*\(.*$/u, '')))
  );
}
