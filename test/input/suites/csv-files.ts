/** Tables after RFC 4180, and what the RFC leaves open: small files, and what they are read as. */
import type { SourceOptions } from '../../../src/index.js';

/** What a table is read as. */
export interface ReadAs {
  readonly columns?: readonly string[];
  /** The fields of each record, or the kind of what is wrong with it. */
  readonly records: readonly (readonly string[] | string)[];
  /** The line of each, where that matters. */
  readonly lines?: readonly number[];
  /** What the message of the only problem says, beside its kind. */
  readonly says?: RegExp;
}

/** A name, a file, and what it is read as, or why it is refused. */
export type TableCase = readonly [
  name: string,
  content: string | Buffer,
  expected: ReadAs | RegExp,
  options?: SourceOptions,
];

const table = (...records: (readonly string[] | string)[]): ReadAs => ({ records });
const XY = ['x', 'y'];
const AB = ['a', 'b'];
const CD = ['c', 'd'];
/** A bad record before a good one: what is wrong with it, and how that is said. */
const costs = (kind: string, says: RegExp): ReadAs => ({ records: [kind, CD], says });
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Read with a comma and a quote, unless a case says otherwise. */
export const RULES: readonly TableCase[] = [
  // RFC 4180, section 2: records on lines of their own, the last line end may be missing.
  ['y_two_records', 'x,y\na,b\nc,d\n', { columns: XY, records: [AB, CD], lines: [2, 3] }],
  ['y_last_line_end_missing', 'x,y\na,b\nc,d', { records: [AB, CD], lines: [2, 3] }],
  ['y_line_end_crlf', 'x,y\r\na,b\r\nc,d\r\n', { columns: XY, records: [AB, CD], lines: [2, 3] }],
  ['y_line_end_crlf_last_missing', 'x,y\r\na,b\r\nc,d', table(AB, CD)],
  ['y_line_end_cr', 'x,y\ra,b\rc,d\r', { columns: XY, records: [AB, CD], lines: [2, 3] }],
  ['y_line_ends_mixed', 'x,y\r\na,b\nc,d\ra,b', { records: [AB, CD, AB], lines: [2, 3, 4] }],
  ['y_header_only', 'x,y\n', { columns: XY, records: [] }],
  ['y_header_only_no_line_end', 'x,y', { columns: XY, records: [] }],
  ['y_one_column', 'x\na\nb\n', { columns: ['x'], records: [['a'], ['b']] }],
  ['y_one_record_of_one_character', 'x\na', table(['a'])],
  [
    'y_many_columns',
    `${'c,'.repeat(99)}c\n${'v,'.repeat(99)}v\n`,
    table(Array.from({ length: 100 }, () => 'v')),
  ],
  // Empty fields.
  ['y_field_empty_first', 'x,y\n,b\n', table(['', 'b'])],
  ['y_field_empty_last', 'x,y\na,\n', table(['a', ''])],
  ['y_field_empty_last_crlf', 'x,y\r\na,\r\n', table(['a', ''])],
  ['y_field_empty_last_no_line_end', 'x,y\na,', table(['a', ''])],
  ['y_field_empty_middle', 'x,y,z\na,,c\n', table(['a', '', 'c'])],
  ['y_fields_all_empty', 'x,y,z\n,,\n', table(['', '', ''])],
  ['y_field_empty_quoted', 'x,y\n"",b\n', table(['', 'b'])],
  ['y_field_empty_quoted_last', 'x,y\na,""\n', table(['a', ''])],
  ['y_fields_all_empty_quoted', 'x,y\n"",""', table(['', ''])],
  ['y_field_blank', 'x,y\n ,\t\n', table([' ', '\t'])],
  // Quotes.
  ['y_quotes_around_all', '"x","y"\n"a","b"\n', { columns: XY, records: [AB] }],
  ['y_quotes_around_some', 'x,y\n"a",b\nc,"d"\n', table(AB, CD)],
  ['y_quoted_comma', 'x,y\n"a,1",b\n', table(['a,1', 'b'])],
  ['y_quoted_commas_only', 'x,y\n",",",,"\n', table([',', ',,'])],
  ['y_quoted_lf', 'x,y\n"a\n1",b\nc,d\n', { records: [['a\n1', 'b'], CD], lines: [2, 4] }],
  [
    'y_quoted_crlf',
    'x,y\r\n"a\r\n1",b\r\nc,d\r\n',
    { records: [['a\r\n1', 'b'], CD], lines: [2, 4] },
  ],
  ['y_quoted_cr', 'x,y\n"a\r1",b\nc,d\n', { records: [['a\r1', 'b'], CD], lines: [2, 4] }],
  ['y_quoted_line_end_last', 'x,y\na,"b\n"\n', table(['a', 'b\n'])],
  ['y_quoted_line_end_first', 'x,y\na,"\nb"\n', table(['a', '\nb'])],
  [
    'y_quoted_line_ends_only',
    'x,y\na,"\n\n\n"\nc,d\n',
    { records: [['a', '\n\n\n'], CD], lines: [2, 6] },
  ],
  ['y_quoted_empty_lines', 'x,y\n"a\n\n\nb",1\n', table(['a\n\n\nb', '1'])],
  ['y_quoted_like_a_table', 'x,y\n"p,q\nr,s\n",b\n', table(['p,q\nr,s\n', 'b'])],
  ['y_quote_doubled', 'x,y\n"say ""hi""",b\n', table(['say "hi"', 'b'])],
  ['y_quote_doubled_first', 'x,y\n"""a",b\n', table(['"a', 'b'])],
  ['y_quote_doubled_last', 'x,y\n"a""",b\n', table(['a"', 'b'])],
  ['y_quote_doubled_alone', 'x,y\n"""",b\n', table(['"', 'b'])],
  ['y_quote_doubled_twice', 'x,y\n"""""",b\n', table(['""', 'b'])],
  ['y_quote_doubled_before_a_comma', 'x,y\n"a"",""b",c\n', table(['a","b', 'c'])],
  ['y_quote_doubled_before_a_line_end', 'x,y\n"a""\n""b",c\n', table(['a"\n"b', 'c'])],
  ['y_quoted_header', '"x, 1","y"\na,b\n', { columns: ['x, 1', 'y'], records: [AB] }],
  [
    'y_quoted_header_over_lines',
    '"x\n1",y\na,b\n',
    { columns: ['x\n1', 'y'], records: [AB], lines: [3] },
  ],
  ['y_quoted_header_with_quotes', '"""x""",y\na,b\n', { columns: ['"x"', 'y'], records: [AB] }],
  ['y_quoted_blanks', 'x,y\n" a ","b "\n', table([' a ', 'b '])],
  ['y_quoted_last_field_at_the_end', 'x,y\na,"b"', table(AB)],
  ['y_quote_in_an_unquoted_field', 'x,y\na "1" b,c\n', table(['a "1" b', 'c'])],
  ['y_quote_ends_an_unquoted_field', 'x,y\n5",6"\n', table(['5"', '6"'])],
  ['y_apostrophes', "x,y\nit's,'b'\n", table(["it's", "'b'"])],
  ['y_typographic_quotes', 'x,y\n“a”,«b»\n', table(['“a”', '«b»'])],
  ['y_backslash', 'x,y\na\\,b\\\n', table(['a\\', 'b\\'])],
  ['y_backslash_before_the_closing_quote', 'x,y\n"a\\",b\n', table(['a\\', 'b'])],
  ['y_backslash_n_is_two_characters', 'x,y\n"a\\nb",c\n', table(['a\\nb', 'c'])],
  // Blanks are part of a field.
  ['y_blanks_around_fields', 'x,y\n a , b \n', table([' a ', ' b '])],
  ['y_blanks_before_a_line_end', 'x,y\na,b  \n', table(['a', 'b  '])],
  ['y_tab_in_a_field', 'x,y\na\tb,c\n', table(['a\tb', 'c'])],
  // Texts.
  ['y_umlauts', 'x,y\nÄÖÜ,ß\n', table(['ÄÖÜ', 'ß'])],
  ['y_scripts', 'x,y\n日本語,שלום\n', table(['日本語', 'שלום'])],
  ['y_emoji', 'x,y\n😀👩‍👩‍👧‍👦,🇪🇸\n', table(['😀👩‍👩‍👧‍👦', '🇪🇸'])],
  ['y_combining', 'x,y\ne\u0301,é\n', table(['e\u0301', 'é'])],
  ['y_separator_2028_ends_no_line', 'x,y\na\u2028b,c\u0085d\n', table(['a\u2028b', 'c\u0085d'])],
  ['y_form_feed_ends_no_line', 'x,y\na\fb,c\vd\n', table(['a\fb', 'c\vd'])],
  ['y_full_width_comma', 'x,y\na，b,c\n', table(['a，b', 'c'])],
  ['y_replacement_character', 'x,y\n\ufffd,b\n', table(['\ufffd', 'b'])],
  ['y_byte_order_mark_in_a_field', 'x,y\na,\ufeffb\n', table(['a', '\ufeffb'])],
  ['y_nul', 'x,y\na\0b,c\n', table(['a\0b', 'c'])],
  ['y_values_stay_text', 'x,y\n007,1e3\ntrue,null\n', table(['007', '1e3'], ['true', 'null'])],
  ['y_formula', 'x,y\n=1+1,"=HYPERLINK(""u"")"\n', table(['=1+1', '=HYPERLINK("u")'])],
  ['y_html', 'x,y\n<b>a</b>,"<a href=""u"">b</a>"\n', table(['<b>a</b>', '<a href="u">b</a>'])],
  ['y_json', 'x,y\n"{""k"":[1,2]}",b\n', table(['{"k":[1,2]}', 'b'])],
  [
    'y_field_longer_than_a_chunk',
    `x,y\n${'long '.repeat(60)},"${'a\n""'.repeat(60)}"\n`,
    table(['long '.repeat(60), 'a\n"'.repeat(60)]),
  ],
  // Byte order marks and encodings.
  ['y_mark', '\ufeffx,y\na,b\n', { columns: XY, records: [AB], lines: [2] }],
  ['y_mark_before_a_quote', '\ufeff"x",y\na,b\n', { columns: XY, records: [AB] }],
  ['y_utf16', utf16('\ufeffx,y\né,"b\n日"\n'), table(['é', 'b\n日'])],
  ['y_utf16_other_order', utf16('\ufeffx,y\né,"b\n日"\n').swap16(), table(['é', 'b\n日'])],
  ['y_utf16_no_mark', utf16('x,y\na,b\nc,d\n'), table(AB, CD)],
  ['y_windows_1252', latin1('x,y\ncaf\xe9,\x80 5\n'), table(['café', '€ 5'])],
  [
    'y_windows_1252_stated',
    latin1('x,y\ncaf\xe9,d\n'),
    table(['café', 'd']),
    { encoding: 'windows-1252' },
  ],
  [
    'y_shift_jis_stated',
    Buffer.from([0x78, 0x2c, 0x79, 0x0a, 0x93, 0xfa, 0x2c, 0x62, 0x0a]),
    table(['日', 'b']),
    { encoding: 'shift_jis' },
  ],
  // Headers.
  ['y_header_blanks_dropped', ' x , y\t\na,b\n', { columns: XY, records: [AB] }],
  ['y_header_empty_name', 'x,\na,b\n', { columns: ['x', ''], records: [AB] }],
  ['y_header_names_twice', 'x,x\na,b\n', { columns: ['x', 'x'], records: [AB] }],
  ['y_header_of_numbers', '1,2\na,b\n', { columns: ['1', '2'], records: [AB] }],
  ['y_header_scripts', 'ÜBER,名前\na,b\n', { columns: ['ÜBER', '名前'], records: [AB] }],
  [
    'y_header_hostile_names',
    '__proto__,constructor\na,b\n',
    { columns: ['__proto__', 'constructor'], records: [AB] },
  ],
  [
    'y_header_none',
    'a,b\nc,d\n',
    { columns: ['1', '2'], records: [AB, CD], lines: [1, 2] },
    { header: false },
  ],
  [
    'y_header_given',
    'a,b\nc,d\n',
    { columns: ['p', 'q'], records: [AB, CD], lines: [1, 2] },
    { header: ['p', 'q'] },
  ],
  [
    'y_header_none_first_lines_empty',
    '\n\na,b\n',
    { columns: ['1', '2'], records: [AB], lines: [3] },
    { header: false },
  ],
  [
    'y_lines_skipped',
    'Export of June\nby us\nx,y\na,b\n',
    { columns: XY, records: [AB], lines: [4] },
    { skipLines: 2 },
  ],
  // Stated dialects.
  ['y_semicolon', 'x;y\na,1;b\n', table(['a,1', 'b']), { delimiter: ';' }],
  ['y_tab', 'x\ty\na\t\n', table(['a', '']), { delimiter: '\t' }],
  ['y_tab_quoted', 'x\ty\n"a\t1"\tb\n', table(['a\t1', 'b']), { delimiter: '\t' }],
  ['y_bar', 'x|y\na|b\n', table(AB), { delimiter: '|' }],
  ['y_blank_as_delimiter', 'x y\na "b c"\n', table(['a', 'b c']), { delimiter: ' ' }],
  ['y_two_colons', 'x::y\na:1::"b::2"\n', table(['a:1', 'b::2']), { delimiter: '::' }],
  ['y_control_as_delimiter', 'x\x01y\na,\x01b\n', table(['a,', 'b']), { delimiter: '\x01' }],
  ['y_delimiter_beyond_ascii', 'x§y\na§b\n', table(AB), { delimiter: '§' }],
  ['y_apostrophe_as_quote', "x,y\n'a,1','it''s'\n", table(['a,1', "it's"]), { quote: "'" }],
  [
    'y_apostrophe_as_quote_others_are_text',
    'x,y\n\'a\',"b"\n',
    table(['a', '"b"']),
    { quote: "'" },
  ],
  ['y_no_quote', 'x,y\n"a,b"\n', table(['"a', 'b"']), { quote: null }],
  ['y_no_quote_one_open', 'x,y\n"a,b\nc,d\n', table(['"a', 'b'], CD), { quote: null }],
  ['y_escape_quote', 'x,y\n"a\\"b",c\n', table(['a"b', 'c']), { escape: '\\' }],
  ['y_escape_itself', 'x,y\n"a\\\\",c\n', table(['a\\', 'c']), { escape: '\\' }],
  ['y_escape_and_comma', 'x,y\n"a\\",\\"b",c\n', table(['a","b', 'c']), { escape: '\\' }],
  [
    'y_comments',
    '# of June\nx,y\n# first\na,b\n#c,d\n',
    { columns: XY, records: [AB], lines: [4] },
    { comment: '#' },
  ],
  ['y_comment_sign_within_a_line', 'x,y\na#1,b # c\n', table(['a#1', 'b # c']), { comment: '#' }],
  ['y_comment_sign_quoted', 'x,y\n"#a",b\n', table(['#a', 'b']), { comment: '#' }],
  ['y_comment_with_a_quote', 'x,y\n# say "hi\na,b\n', table(AB), { comment: '#' }],
  ['y_comment_of_two_signs', 'x,y\n//a,b\n/a,b\n', table(['/a', 'b']), { comment: '//' }],
  ['y_no_comments_unless_stated', 'x,y\n#a,b\n', table(['#a', 'b'])],
  // What is wrong with a record costs that record.
  [
    'n_too_few_fields',
    'x,y\na\nc,d\n',
    {
      records: ['ragged', CD],
      lines: [2, 3],
      says: /has 1 field where the header has 2 columns; .*: fix the record/,
    },
  ],
  [
    'n_too_many_fields',
    'x,y\na,b,c\nc,d\n',
    costs('ragged', /has 3 fields where the header has 2 columns; perhaps a field holds a ","/),
  ],
  ['n_comma_too_many', 'x,y\na,b,\nc,d\n', costs('ragged', /has 3 fields/)],
  ['n_last_record_cut', 'x,y\na,b\nc', { records: [AB, 'ragged'], says: /or the record is cut/ }],
  ['n_blanks_line', 'x,y\n  \na,b\n', { records: ['ragged', AB], says: /has 1 field/ }],
  ['n_quotes_line', 'x,y\n""\na,b\n', { records: ['ragged', AB], says: /has 1 field/ }],
  [
    'n_text_behind_a_quote',
    'x,y\n"a"b,c\nc,d\n',
    {
      records: ['malformed-quote', CD],
      lines: [2, 3],
      says: /opens on line 2 is closed, but then "b" stands where/,
    },
  ],
  ['n_blank_behind_a_quote', 'x,y\n"a" ,c\nc,d\n', costs('malformed-quote', /but then " " stands/)],
  [
    'n_blank_behind_the_last_quote',
    'x,y\na,"b" \nc,d\n',
    costs('malformed-quote', /but then " " stands/),
  ],
  ['n_quote_not_doubled', 'x,y\n"say "hi"",b\nc,d\n', costs('malformed-quote', /write .* as ""/)],
  [
    'n_quote_never_closed',
    'x,y\n"a,b\nc,d\n',
    {
      records: ['unclosed-quote', CD],
      lines: [2, 3],
      says: /opens a field on line 2 .*close the quote/,
    },
  ],
  [
    'n_quote_never_closed_last_field',
    'x,y\na,"b\nc,d\n',
    costs('unclosed-quote', /opens a field on line 2/),
  ],
  [
    'n_quote_never_closed_last_record',
    'x,y\na,b\nc,"d',
    { records: [AB, 'unclosed-quote'], says: /opens a field on line 3/ },
  ],
  [
    'n_quote_opened_at_the_end',
    'x,y\na,b\nc,"',
    { records: [AB, 'unclosed-quote'], says: /opens a field on line 3/ },
  ],
  [
    'n_quote_in_a_quoted_field_never_closed',
    'x,y\na,"b""\nc,d\n',
    costs('unclosed-quote', /opens a field on line 2/),
  ],
  [
    'n_record_too_long',
    `x,y\n${'a'.repeat(200)},b\nc,d\n`,
    costs('too-long', /longer than 100 bytes: set maxRecordBytes higher/),
    { maxRecordBytes: 100 },
  ],
  [
    'n_not_utf8',
    latin1('x,y\ncaf\xe9,b\nc,d\n'),
    costs('not-utf8', /column "x" of 1 record,.*0xE9 at byte 7, record 1, line 2/),
    { encoding: 'utf-8' },
  ],
  [
    'n_not_utf8_quoted',
    latin1('x,y\na,"caf\xe9, b"\nc,d\n'),
    costs('not-utf8', /column "y" of 1 record,.*0xE9 at byte 10, record 1, line 2/),
    { encoding: 'utf-8' },
  ],
  // What is wrong with a file keeps it from being read.
  ['n_nothing', '', /x\.csv is empty: there is not even a header/],
  ['n_only_a_mark', '\ufeff', /x\.csv is empty/],
  ['n_only_line_ends', '\n\r\n\n', /x\.csv is empty/],
  ['n_only_blanks', '  \n \n', /x\.csv is empty/],
  ['n_header_with_an_open_quote', 'x,"y\na,b\n', /x\.csv has a header whose quotes make no sense/],
  [
    'n_header_with_text_behind_a_quote',
    '"x"1,y\na,b\n',
    /x\.csv has a header whose quotes make no sense/,
  ],
  [
    'n_fewer_lines_than_skipped',
    'x,y\na,b\n',
    /does not have 9 lines to skip.*check skipLines/,
    { skipLines: 9 },
  ],
  [
    'n_mark_contradicts_encoding',
    '\ufeffx,y\na,b\n',
    /x\.csv starts with the byte order mark of utf-8, but .* leave the encoding out/,
    { encoding: 'utf-16le' },
  ],
  ['n_delimiter_is_the_quote', 'x,y\na,b\n', /can't be told apart/, { delimiter: '"' }],
  ['n_delimiter_holds_a_line_end', 'x,y\na,b\n', /holds a line end/, { delimiter: '\n' }],
  ['n_web_page', '<!DOCTYPE html>\n<html></html>\n', /x\.csv is a web page/],
  // Left open by the RFC.
  ['i_empty_lines_are_no_records', 'x,y\n\na,b\n\n\nc,d\n\n', { records: [AB, CD], lines: [3, 6] }],
  ['i_empty_lines_before_the_header', '\n\nx,y\na,b\n', { columns: XY, records: [AB], lines: [4] }],
  ['i_empty_line_of_one_column_is_none', 'x\na\n\nb\n', { records: [['a'], ['b']], lines: [2, 4] }],
  ['i_quotes_of_one_column_are_an_empty_field', 'x\na\n""\nb\n', { records: [['a'], [''], ['b']] }],
  ['i_blank_before_a_quote_makes_it_text', 'x,y\n "a",b\n', table([' "a"', 'b'])],
  ['i_blank_before_a_quote_splits_it', 'x,y\na, "b,c"\nc,d\n', { records: ['ragged', CD] }],
  [
    'i_escape_before_another_character_is_dropped',
    'x,y\n"a\\nb",c\n',
    table(['anb', 'c']),
    { escape: '\\' },
  ],
  [
    'i_excel_sep_line_is_a_line',
    'sep=,\nx,y\na,b\n',
    { columns: XY, records: [AB] },
    { skipLines: 1 },
  ],
];

/** Read with nothing stated. */
export const DETECTED: readonly TableCase[] = [
  ['y_detects_comma', 'x,y\na,b\nc,d\n', table(AB, CD)],
  ['y_detects_semicolon', 'x;y\na,1;b\nc;d\n', table(['a,1', 'b'], CD)],
  [
    'y_detects_semicolon_decimal_commas',
    'x;y\n1,5;2,5\n3,5;4,5\n',
    table(['1,5', '2,5'], ['3,5', '4,5']),
  ],
  ['y_detects_tab', 'x\ty\na\tb, c\nc\td\n', table(['a', 'b, c'], CD)],
  ['y_detects_bar', 'x|y\na|b\nc|d\n', table(AB, CD)],
  [
    'y_detects_quoted_delimiters',
    'x,y\n"a;1;2;3",b\n"c;1;2;3",d\n',
    table(['a;1;2;3', 'b'], ['c;1;2;3', 'd']),
  ],
  ['y_detects_apostrophe', "x,y\n'a,1','b'\n'c,2','d'\n", table(['a,1', 'b'], ['c,2', 'd'])],
  ['y_detects_apostrophes_as_text', "x,y\nit's,b\n'twas,d\n", table(["it's", 'b'], ["'twas", 'd'])],
  ['y_detects_backslash_escapes', 'x,y\n"a \\"1\\", 2",b\n"c",d\n', table(['a "1", 2', 'b'], CD)],
  ['y_detects_one_column', 'x\na\nb\n', { columns: ['x'], records: [['a'], ['b']] }],
  ['y_detects_in_one_record', 'x;y\na;b', table(AB)],
  ['y_detects_in_a_header_alone', 'x;y\n', { columns: XY, records: [] }],
  ['y_detects_line_ends_cr', 'x;y\ra;b\rc;d\r', table(AB, CD)],
  ['y_detects_in_utf16', utf16('\ufeffx\ty\na\tb\n'), table(AB)],
  [
    'y_detects_texts_over_lines',
    'x;y\n"a\nb; c";1\n"d\n""e""";2\n',
    table(['a\nb; c', '1'], ['d\n"e"', '2']),
  ],
  [
    'y_detects_ragged',
    'x;y;z\na;b;c\nd;e\nf;g;h\n',
    table(['a', 'b', 'c'], 'ragged', ['f', 'g', 'h']),
  ],
  ['i_detects_comma_of_two', 'x,y;z\na,b;c\n', table(['a', 'b;c'])],
  ['i_detects_list_like_header', '[x],[y]\na,b\n', { columns: ['[x]', '[y]'], records: [AB] }],
];
