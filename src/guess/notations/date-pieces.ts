/** From a date that was found to the format that reads it. */
// biome-ignore lint/correctness/useImportExtensions: it is data
import WORDS from '../lexicon/value-words.json' with { type: 'json' };

type Groups = Readonly<Record<string, string | undefined>>;

/** Source of an expression for the name of a month in any language. */
export const MONTH = "(?:(?:tháng|thg) \\d{1,2}|\\p{L}[\\p{L}\\p{M}'’]*\\.?)";

/** Offsets of zones as exports abbreviate them. */
export const ZONES: Readonly<Record<string, string>> = WORDS.zones;

/** A part of a date: how a format writes it, and how an expression finds it. */
export interface Piece {
  readonly format: string;
  readonly source: string;
}

/** The format and the expression of each named group of a match, in the order in which they stand. */
export function piecesOf({ groups = {}, indices }: RegExpExecArray): readonly Piece[] {
  const places = Object.entries(indices?.groups ?? {}).flatMap(([name, place]) =>
    place === undefined ? [] : [{ name, start: place[0] }],
  );
  return places
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ name }) => {
      const text = groups[name] ?? '';
      return text === '' ? [] : pieceOf(name, text, groups);
    });
}

function pieceOf(name: string, text: string, groups: Groups): readonly Piece[] {
  switch (name) {
    case 'y':
      return [digits(text.length === 2 ? 'yy' : 'yyyy', `\\d{${text.length}}`)];
    case 'd':
    case 'M':
      return [digits(name, '\\d{1,2}')];
    case 'a':
    case 'b':
      return [digits(name.toUpperCase(), '\\d{1,2}')];
    case 'month':
      return [digits(text.replaceAll('.', '').length > 4 ? 'MMMM' : 'MMM', MONTH)];
    case 'H':
      return [digits(groups['half'] === undefined ? 'H' : 'h', '\\d{1,2}')];
    case 'm':
      return [digits('mm', '\\d{2}')];
    case 's':
      return [digits('ss', '\\d{2}')];
    case 'fraction':
      return [literal(text.charAt(0)), digits('u', '\\d+')];
    case 'half':
      return [...spaceOf(text), digits('a', '[AaPp]\\.?[Mm]\\.?')];
    case 'zone':
      return [...spaceOf(text), ...zonePieces(text.trim())];
    case 'ordinal':
      // A step takes it off before the date is read.
      return [{ format: '', source: '(?:st|nd|rd|th|er|º|ª|°)?' }];
    default:
      return [literal(text)];
  }
}

function digits(format: string, source: string): Piece {
  return { format, source };
}

function spaceOf(text: string): readonly Piece[] {
  return text.startsWith(' ') ? [literal(' ')] : [];
}

function zonePieces(zone: string): readonly Piece[] {
  if (ZONES[zone.toUpperCase()] !== undefined) return [digits('ZZZ', '\\p{L}{3,4}')];
  const name = /^(?:Z|UTC|GMT)/iu.exec(zone)?.[0] ?? '';
  const offset = zone.slice(name.length);
  const named = name === '' ? [] : [literal(name)];
  if (offset === '') return named;
  return [...named, digits(offset.includes(':') ? 'ZZ' : 'ZZZ', '[+-]\\d{2}:?\\d{2}')];
}

function literal(text: string): Piece {
  // In a format, text that stands for itself goes in quotes.
  const format = /\p{L}/u.test(text) ? `'${text.replaceAll("'", '’')}'` : text;
  const source = text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&').replace(/\s/gu, '\\s');
  return { format, source };
}
