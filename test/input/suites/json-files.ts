/** Whole files of JSON Lines and JSON documents: lines, blanks, marks, encodings, endings. */
import type { SourceOptions } from '../../../src/index.js';

/** What a file is read as. */
export interface ReadAs {
  /** The value of each record, or the kind of what is wrong with it. */
  readonly records: readonly unknown[];
  /** The line of each, where that matters. */
  readonly lines?: readonly number[];
  /** What ends the reading early. */
  readonly breaksOff?: RegExp;
}

/** A name, a file, and what it is read as, or why it is refused. */
export type FileCase = readonly [
  name: string,
  content: string | Buffer,
  expected: ReadAs | RegExp,
  options?: SourceOptions,
];

const A = { a: 1 };
const B = { b: 2 };
const TWO: ReadAs = { records: [A, B] };
const DATA: SourceOptions = { records: 'data' };
const CUT = /ends in the middle of the list/;
const FOLLOWED = /something follows the end of the document/;
const endsEarly = (breaksOff: RegExp, ...records: unknown[]): ReadAs => ({ records, breaksOff });
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const swapped = (text: string): Buffer => utf16(text).swap16();
const utf32 = (text: string): Buffer =>
  Buffer.from(Uint32Array.from([...text], (one) => one.codePointAt(0) as number).buffer);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const invalid = (record: string): Buffer =>
  Buffer.concat([Buffer.from('{"a":1}\n{"x":"'), latin1(record), Buffer.from('"}\n{"b":2}\n')]);

/** Each is read as `x.jsonl`. */
export const LINES_FILES: readonly FileCase[] = [
  ['y_lines', '{"a":1}\n{"b":2}\n', { records: [A, B], lines: [1, 2] }],
  ['y_lines_no_line_end_at_the_end', '{"a":1}\n{"b":2}', TWO],
  ['y_lines_crlf', '{"a":1}\r\n{"b":2}\r\n', { records: [A, B], lines: [1, 2] }],
  ['y_lines_cr', '{"a":1}\r{"b":2}\r', { records: [A, B], lines: [1, 2] }],
  ['y_lines_ends_mixed', '{"a":1}\n{"b":2}\r\n{"a":1}\r{"b":2}', { records: [A, B, A, B] }],
  ['y_lines_one', '{"a":1}', { records: [A] }],
  ['y_lines_empty_object', '{}\n', { records: [{}] }],
  ['y_lines_blanks_around', ' \t{"a":1} \t\n\t{"b":2}\n', TWO],
  ['y_lines_byte_order_mark', '\ufeff{"a":1}\n{"b":2}\n', TWO],
  ['y_lines_escaped_line_end', '{"x":"a\\nb"}\n{"b":2}\n', { records: [{ x: 'a\nb' }, B] }],
  ['y_lines_separator_2028', '{"x":"a\u2028b"}\n{"b":2}\n', { records: [{ x: 'a\u2028b' }, B] }],
  ['y_lines_next_line_0085', '{"x":"a\u0085b"}\n{"b":2}\n', { records: [{ x: 'a\u0085b' }, B] }],
  ['y_lines_utf16', utf16('\ufeff{"a":1}\n{"b":2}\n'), TWO],
  ['y_lines_utf16_other_order', swapped('\ufeff{"a":1}\n{"b":2}\n'), TWO],
  ['y_lines_utf32', utf32('\ufeff{"a":1}\n{"b":2}\n'), TWO],
  ['n_lines_two_on_one', '{"a":1}{"b":2}\n{"b":2}\n', { records: ['not-json', B], lines: [1, 2] }],
  ['n_lines_two_with_a_comma', '{"a":1},{"b":2}\n{"b":2}\n', { records: ['not-json', B] }],
  ['n_lines_comma_at_the_end', '{"a":1},\n{"b":2}\n', { records: ['not-json', B] }],
  ['n_lines_one_over_two', '{"a":\n1}\n{"b":2}\n', { records: ['not-json', 'not-json', B] }],
  ['n_lines_list', '[1]\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_list_of_objects', '[{"a":1}]\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_string', '"a"\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_number', '1\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_null', 'null\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_true', 'true\n{"b":2}\n', { records: ['not-an-object', B] }],
  ['n_lines_text', 'hello\n{"b":2}\n', { records: ['not-json', B] }],
  ['n_lines_comment', '# two\n{"b":2}\n', { records: ['not-json', B] }],
  ['n_lines_bracket_alone', '{\n{"b":2}\n', { records: ['not-json', B] }],
  ['n_lines_second_byte_order_mark', '{"a":1}\n\ufeff{"b":2}\n', { records: [A, 'not-json'] }],
  ['n_lines_last_one_cut', '{"a":1}\n{"b":', { records: [A, 'not-json'], lines: [1, 2] }],
  ['n_lines_last_string_cut', '{"a":1}\n{"b":"2', { records: [A, 'not-json'] }],
  ['n_lines_no_break_space_line', '{"a":1}\n\u00a0\n{"b":2}\n', { records: [A, 'not-json', B] }],
  ['n_lines_utf8_one_byte_alone', invalid('\xff'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_continuation_alone', invalid('\x80'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_overlong_slash', invalid('\xc0\xaf'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_overlong_three', invalid('\xe0\x80\xaf'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_surrogate', invalid('\xed\xa0\x80'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_above_10ffff', invalid('\xf4\x90\x80\x80'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_five_bytes', invalid('\xf8\x88\x80\x80\x80'), { records: [A, 'not-utf8', B] }],
  ['n_lines_utf8_cut', invalid('\xe6\x97'), { records: [A, 'not-utf8', B] }],
  // RFC 7464: a record separator before each text. It is found unless JSON Lines are stated.
  ['n_lines_rfc_7464', '\x1e{"a":1}\n\x1e{"b":2}\n', { records: ['not-json', 'not-json'] }],
  [
    'i_lines_blank_lines_are_none',
    '\n{"a":1}\n\n \t\n{"b":2}\n\n',
    { records: [A, B], lines: [2, 5] },
  ],
  ['i_lines_only_blank_lines', '\n\n  \n', { records: [] }],
  ['i_lines_nothing', '', { records: [] }],
  ['i_lines_only_a_mark', '\ufeff', { records: [] }],
].map((each) => withEncoding(each as unknown as FileCase));

/** Stray bytes alone would make another encoding likelier, which is another test's subject. */
function withEncoding([name, content, expected, options]: FileCase): FileCase {
  return name.includes('_utf8_')
    ? [name, content, expected, { ...options, encoding: 'utf-8' }]
    : [name, content, expected, options ?? {}];
}

/** Each is read as `x.json`. */
export const DOCUMENT_FILES: readonly FileCase[] = [
  ['y_list', '[{"a":1},{"b":2}]', { records: [A, B], lines: [1, 1] }],
  ['y_list_empty', '[]', { records: [] }],
  ['y_list_empty_with_blanks', ' [ \n ] \n', { records: [] }],
  ['y_list_of_one', '[{"a":1}]', { records: [A] }],
  ['y_list_of_empty_objects', '[{},{}]', { records: [{}, {}] }],
  ['y_list_line_end_at_the_end', '[{"a":1},{"b":2}]\n', TWO],
  ['y_list_blanks_before', '\n\n [{"a":1},{"b":2}]', { records: [A, B], lines: [3, 3] }],
  ['y_list_blanks_everywhere', ' [ {"a" : 1 } , {"b":\t2} ] \n\n', TWO],
  ['y_list_pretty', '[\n  {\n    "a": 1\n  },\n  {\n    "b": 2\n  }\n]\n', TWO],
  ['y_list_one_a_line', '[\n{"a":1},\n{"b":2}\n]\n', TWO],
  ['y_list_comma_first', '[\n{"a":1}\n,{"b":2}\n]\n', TWO],
  ['y_list_crlf', '[\r\n{"a":1},\r\n{"b":2}\r\n]\r\n', TWO],
  ['y_list_byte_order_mark', '\ufeff[{"a":1},{"b":2}]', TWO],
  ['y_list_utf16', utf16('\ufeff[{"a":1},{"b":2}]'), TWO],
  ['y_list_utf16_no_mark', utf16('[{"a":1},{"b":2}]'), TWO],
  ['y_list_utf32_other_order', utf32('\ufeff[{"a":1},{"b":2}]').swap32(), TWO],
  ['y_at_a_path', '{"data":[{"a":1},{"b":2}]}', TWO, DATA],
  ['y_at_a_path_with_more', '{"n":1,"data":[{"a":1},{"b":2}],"m":[1]}', TWO, DATA],
  ['y_at_a_deep_path', '{"r":{"s":[{"t":[{"a":1},{"b":2}]}]}}', TWO, { records: 'r.s[0].t' }],
  ['y_at_a_path_after_its_likes', '{"x":{"data":[1]},"data":[{"a":1},{"b":2}]}', TWO, DATA],
  ['y_at_a_path_string_before', '{"x":"\\"data\\":[{","data":[{"a":1},{"b":2}]}', TWO, DATA],
  ['y_at_a_path_key_escaped', '{"d\\u0061ta":[{"a":1},{"b":2}]}', TWO, DATA],
  ['y_at_a_path_empty', '{"data":[]}', { records: [] }, DATA],
  ['n_empty', '', /x\.json is empty: expected a JSON document/],
  ['n_blank', ' \n', /x\.json is empty: expected a JSON document/],
  ['y_object', '{"a":1}', { records: [A] }],
  ['y_object_over_lines', '{\n "a": 1\n}\n', { records: [A] }],
  ['y_objects_on_one_line', '{"a":1}{"b":2}', { records: [A, B], lines: [1, 1] }],
  ['y_objects_over_lines', '{\n "a": 1\n}\n{\n "b": 2\n}\n', { records: [A, B], lines: [1, 4] }],
  ['y_objects_text_sequence', '\x1e{"a":1}\n\x1e{\n"b":2}\n', { records: [A, B], lines: [1, 2] }],
  [
    'y_object_with_lists_then_another',
    '{"a":[{"b":1}]}{"b":2}',
    { records: [{ a: [{ b: 1 }] }, B] },
  ],
  ['n_objects_with_a_value_between', '{"a":1}{"b":2} 7 {"b":2}', { records: [A, B, 'not-json'] }],
  ['n_objects_with_a_comma', '{\n"a":1},\n{"b":2}', { records: [A, 'not-json'] }],
  [
    'n_objects_last_one_cut',
    '{"a":1}{"b":2}{"a":',
    endsEarly(/in the middle of a value, on line 1/, A, B),
  ],
  [
    'n_objects_then_text',
    '{\n"a":1}\n{"b":2}\nhello',
    endsEarly(/in the middle of a value, on line 4/, A, B),
  ],
  [
    'n_objects_closed_twice',
    '{"a":1}{"b":2}}{"a":1}',
    endsEarly(/brackets do not match, on line 1/, A, B),
  ],
  ['n_object_cut', '{"a":1', /x\.json is not valid JSON: .*end of input, on line 1, column 7/],
  ['n_object_key_bare', '{\n"a":1,\n b:2}', /it has a key without quotes, on line 3, column 2/],
  [
    'n_comment',
    '// a\n[{"a":1}]',
    /x\.json is not valid JSON: it has a comment, on line 1, column 1/,
  ],
  [
    'n_by_column',
    '{"a":{"0":1,"1":2},"b":{"0":1,"1":2}}',
    /values of each column.*orient="records"/,
  ],
  ['n_by_column_lists', '{"a":[1,2],"b":[3,4]}', /values of each column.*orient="records"/],
  ['n_by_column_split', '{"columns":["a"],"index":[0],"data":[[1]]}', /values of each column/],
  ['n_by_key', '{"x":{"a":1},"y":{"a":2}}', /holds 2 objects under keys.*jq to_entries/],
  ['n_rows', '["a","b"]\n[1,2]\n[3,4]\n', /a JSON list for each row.*jq -r @csv/],
  ['n_object_with_a_list', '{"d":{"e":[{"a":1}]}}', /set records to d\.e/],
  ['n_string', '"a"', /starts with "\\"".*expected \[ or \{/],
  ['n_number', '1', /starts with "1".*expected \[ or \{/],
  ['n_word', 'null', /starts with "n".*expected \[ or \{/],
  ['n_no_list_there', '{"data":{"a":1}}', /no list at data: it is an object there/, DATA],
  [
    'n_no_such_path',
    '{"data":[{"a":1}]}',
    /no list at dat: .*there is one at data/,
    { records: 'dat' },
  ],
  ['n_list_at_the_top', '[{"a":1}]', /the list is at the top, so leave records out/, DATA],
  [
    'n_list_of_values',
    '[1,"a",null,[],true]',
    { records: Array.from({ length: 5 }, () => 'not-an-object') },
  ],
  ['n_list_comma_at_the_end', '[{"a":1},{"b":2},]', { records: [A, B, 'not-json'] }],
  ['n_list_comma_at_the_start', '[,{"a":1},{"b":2}]', { records: ['not-json', A, B] }],
  ['n_list_two_commas', '[{"a":1},,{"b":2}]', { records: [A, 'not-json', B] }],
  ['n_list_comma_alone', '[,]', { records: ['not-json', 'not-json'] }],
  ['n_list_no_comma', '[{"a":1} {"b":2}]', { records: ['not-json'] }],
  ['n_list_comment', '[{"a":1},/* two */{"b":2}]', { records: [A, 'not-json'] }],
  ['n_list_bare_word', '[{"a":1},undefined,{"b":2}]', { records: [A, 'not-json', B] }],
  [
    'n_list_never_closed',
    '[{"a":1},{"b":2}',
    endsEarly(/ends in the middle of the list, on line 1/, A),
  ],
  [
    'n_list_never_closed_comma',
    '[{"a":1},\n{"b":2},\n',
    endsEarly(/ends in the middle of the list, on line 3/, A, B),
  ],
  ['n_list_opened_only', '[', endsEarly(CUT)],
  ['n_list_element_cut', '[{"a":1},{"b":', endsEarly(CUT, A)],
  ['n_list_string_cut', '[{"a":1},{"b":"2', endsEarly(CUT, A)],
  [
    'n_list_closed_as_object',
    '[{"a":1},{"b":2}}',
    endsEarly(/brackets do not match, on line 1/, A),
  ],
  ['n_list_closed_twice', '[{"a":1},{"b":2}]]', endsEarly(FOLLOWED, A, B)],
  [
    'n_list_then_another',
    '[{"a":1}]\n[{"b":2}]',
    endsEarly(/something follows the end of the document, on line 2/, A),
  ],
  ['n_list_then_a_comma', '[{"a":1}],', endsEarly(FOLLOWED, A)],
  ['n_list_then_text', '[{"a":1}] done', endsEarly(FOLLOWED, A)],
  ['n_list_then_nul', '[{"a":1}]\0', endsEarly(FOLLOWED, A)],
  ['n_list_then_a_mark', '[{"a":1}]\ufeff', endsEarly(FOLLOWED, A)],
  [
    'n_path_document_cut',
    '{"data":[{"a":1},{"b":2}]',
    endsEarly(/before its last bracket/, A, B),
    DATA,
  ],
  [
    'n_path_closed_as_list',
    '{"data":[{"a":1},{"b":2}]]',
    endsEarly(/brackets do not match/, A, B),
    DATA,
  ],
  [
    'n_path_closed_twice',
    '{"data":[{"a":1},{"b":2}]}}',
    endsEarly(/something follows the end/, A, B),
    DATA,
  ],
  [
    'n_before_the_list_no_colon',
    '{"x" 1,"data":[{"a":1}]}',
    /is not valid JSON: .* on line 1, column \d+/,
    DATA,
  ],
  [
    'n_before_the_list_bare_key',
    '{\nx:1,"data":[{"a":1}]}',
    /a key without quotes, on line 2, column 1/,
    DATA,
  ],
  [
    'n_before_the_list_brackets',
    '{"x":[1},"data":[{"a":1}]}',
    /is not valid JSON: .* on line 1, column \d+/,
    DATA,
  ],
  // Of what is no record, only strings and brackets are looked at.
  ['i_around_the_list_words', '{"x":nonsense,"data":[{"a":1},{"b":2}]}', TWO, DATA],
  ['i_around_the_list_numbers', '{"x":01,"data":[{"a":1},{"b":2}],"y":+1}', TWO, DATA],
  ['i_key_of_the_list_twice', '{"data":[{"a":1},{"b":2}],"data":[{"c":3}]}', TWO, DATA],
];
