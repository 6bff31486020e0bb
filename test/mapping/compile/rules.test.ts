import { describe, expect, test } from 'vitest';
import { listOf, mapper, numberOf, problemsOf, textOf } from '../make-rule.js';

describe('a template', () => {
  test('puts the columns into its text', () => {
    expect(textOf('{a}: {b}', { a: 'x', b: ' y ' })).toBe('x: y');
  });

  test('gives nothing when all its placeholders are blank, whatever text is around', () => {
    expect(textOf('{a} by {b}', { a: ' ', b: null })).toBeUndefined();
    expect(textOf('{a} by {b}', { b: 'z' })).toBe('by z');
  });

  test('without placeholders is a constant, and a doubled brace is a brace', () => {
    expect(textOf('imported', {})).toBe('imported');
    expect(textOf('{{a}} {a}', { a: 1 })).toBe('{a} 1');
  });

  test('takes numbers and true or false for text', () => {
    expect(textOf('{a}{b}{c}', { a: 5, b: true, c: 12345678901234567890n })).toBe(
      '5true12345678901234567890',
    );
  });

  test('takes $ and names of methods for what they are', () => {
    expect(textOf('{a}', { a: '$& $1' })).toBe('$& $1');
    expect(textOf('{toString}{__proto__}{constructor}', {})).toBeUndefined();
  });
});

describe('an input', () => {
  test('from takes the first column that is not blank', () => {
    expect(textOf({ from: ['a', 'b', 'c'] }, { a: '\u00a0', b: 'B', c: 'C' })).toBe('B');
  });

  test('from reaches into JSON records, but an exact key goes first', () => {
    const record = { user: { name: 'Ana' }, photos: [{ url: 'u0' }, { url: 'u1' }], 'user.age': 9 };
    expect(textOf({ from: 'user.name' }, record)).toBe('Ana');
    expect(textOf('{photos[1].url}', record)).toBe('u1');
    expect(textOf('{photos[2].url}', record)).toBeUndefined();
    expect(textOf('{user.age}', record)).toBe('9');
    expect(textOf('{user.constructor.name}', record)).toBeUndefined();
    expect(textOf('{photos.length}', record)).toBeUndefined();
  });

  test('from reaches through lists, to keys with dots, and into JSON in a text', () => {
    const record = {
      answers: [{ q: 'a', text: 'Fine' }, { q: 'b' }, { q: 'c', text: 'Loud' }],
      scores: { 'Room.Service': 4, "it's": 5 },
      payload: '{"id": 12345678901234567890, "user": {"names": ["Ana", "Bo"]}}',
      broken: '{"id": ',
    };
    expect(listOf({ from: 'answers[].text' }, record)).toEqual(['Fine', 'Loud']);
    expect(textOf({ from: 'answers[].none' }, record)).toBeUndefined();
    expect(textOf("{scores['Room.Service']}{scores[\"it's\"]}", record)).toBe('45');
    expect(textOf('{payload.user.names[1]}', record)).toBe('Bo');
    expect(textOf('{payload.id}', record)).toBe('12345678901234567890');
    expect(textOf('{broken.id}{answers.text}', record)).toBeUndefined();
  });

  test('join leaves out what is blank, and flattens lists', () => {
    const rule = { join: ['{a}', { from: 'b' }, 'c'], with: '\n\n' };
    expect(textOf(rule, { a: 'A', b: ['x', ' ', 'y'] })).toBe('A\n\nx\n\ny\n\nc');
    expect(textOf({ join: ['{a}', '{b}'] }, {})).toBeUndefined();
    expect(textOf({ join: ['{a}', '{b}'] }, { a: 1, b: 2 })).toBe('1 2');
  });

  test('value is a constant in which braces mean nothing', () => {
    expect(textOf({ value: '{a}' }, { a: 1 })).toBe('{a}');
    expect(numberOf({ value: 3, scale: { from: [0, 10], to: [0, 1] } }, {})).toBe(0.3);
    expect(numberOf(4, {})).toBe(4);
  });

  test('detect gives the language of a text, or nothing', () => {
    expect(textOf({ detect: '{a}' }, { a: 'Sehr freundliches Personal, alles sauber' })).toBe('de');
    expect(textOf({ detect: '{a}', else: 'und' }, { a: '👍' })).toBe('und');
    expect(textOf({ detect: '{a}' }, {})).toBeUndefined();
  });
});

describe('hash', () => {
  test('never changes', () => {
    expect(textOf({ hash: ['{a}', '{b}'] }, { a: 'Ana', b: 'España' })).toBe(
      '4c4588a23410a7cf1e49ba75e949a3d1',
    );
    expect(textOf({ hash: ['{a}', '{b}'] }, { b: 'x' })).toBe('b5e57f64d64a89b2130f537cb530dba0');
    expect(textOf({ hash: [{ from: 'tags' }] }, { tags: ['a', 'b'] })).toBe(
      'db8992cf941b185a1c5bbcfbdc3f4320',
    );
  });

  test('knows where one value ends and the next begins', () => {
    const hash = (a: string, b: string): string | undefined =>
      textOf({ hash: ['{a}', '{b}'] }, { a, b });
    expect(hash('a', 'bc')).not.toBe(hash('ab', 'c'));
    expect(hash('', 'a')).not.toBe(hash('a', ''));
    expect(hash('a","b', 'c')).not.toBe(hash('a', 'b","c'));
  });

  test('takes a number for its text, and blanks for nothing', () => {
    expect(textOf({ hash: ['{a}'] }, { a: 5 })).toBe(textOf({ hash: ['{a}'] }, { a: ' 5' }));
    expect(textOf({ hash: ['{a}', '{b}'] }, { a: ' ' })).toBeUndefined();
  });
});

describe('steps', () => {
  test('run in the order of the language, whatever order they are written in', () => {
    const inOrder = {
      from: 'a',
      strip: 'html',
      match: '^.(.*)$',
      replace: { o: '0', L: 'x' },
      case: 'upper',
      split: ',',
      values: { L0: '8', X: '3' },
      number: '.',
      scale: { from: [0, 10], to: [0, 33] },
      round: 0,
      truncate: 1,
    } as const;
    const backwards = Object.fromEntries(Object.entries(inOrder).reverse());
    const record = { a: '<b>?lo,L,zz</b>' };
    expect(listOf(inOrder, record)).toEqual(['2', '1']);
    expect(listOf(backwards, record)).toEqual(['2', '1']);
  });

  test('repair comes before the other steps, and before a no-break space is trimmed', () => {
    const repair = 'encoding' as const;
    expect(textOf({ from: 'a', repair }, { a: ' voilÃ\u00a0' })).toBe('voilà');
    expect(textOf({ from: 'a', repair, trim: false }, { a: ' voilÃ\u00a0 ' })).toBe(' voilà ');
    expect(textOf({ from: 'a', values: { Été: 'summer' }, repair }, { a: 'Ã‰tÃ©' })).toBe('summer');
    expect(textOf({ text: '{a}{b}', repair, else: 'none' }, { a: ' ', b: '\u00a0' })).toBe('none');
    expect(listOf({ from: 'a', repair }, { a: ['PlÃ¢ge', 5] })).toEqual(['Plâge', '5']);
    expect(numberOf({ from: 'a', repair }, { a: 5 })).toBe(5);
  });

  test('match keeps the first group, or all, or nothing', () => {
    expect(textOf({ from: 'a', match: '(\\d+) of' }, { a: 'Rated 4 of 5' })).toBe('4');
    expect(textOf({ from: 'a', match: '\\d+ of' }, { a: 'Rated 4 of 5' })).toBe('4 of');
    expect(textOf({ from: 'a', match: '(\\d) stars|(\\d) Sterne' }, { a: '3 Sterne' })).toBe('3');
    expect(textOf({ from: 'a', match: 'x', else: 'none' }, { a: 'y' })).toBe('none');
    expect(textOf({ from: 'a', match: '^\\p{Lu}' }, { a: 'Élan' })).toBe('É');
  });

  test('replace goes through its expressions in order, with groups', () => {
    const rule = { from: 'a', replace: [{ '(\\w+) (\\w+)': '$2 $1' }, { '^b': 'B' }] };
    expect(textOf(rule, { a: 'a b' })).toBe('B a');
    expect(textOf({ from: 'a', replace: { '[“”]': '' } }, { a: '“hola”' })).toBe('hola');
    expect(textOf({ from: 'a', replace: { 'n/a': '' }, else: 'none' }, { a: 'n/a' })).toBe('none');
  });

  test('case follows the locale', () => {
    expect(textOf({ from: 'a', case: 'lower', locale: 'tr' }, { a: 'I' })).toBe('ı');
    expect(textOf({ from: 'a', case: 'lower' }, { a: 'I' }, { locale: 'tr' })).toBe('ı');
    expect(textOf({ from: 'a', case: 'upper' }, { a: 'straße' })).toBe('STRASSE');
  });

  test('split makes a list of what is not blank', () => {
    expect(listOf({ from: 'a', split: ',' }, { a: ' x, ,y ,x' })).toEqual(['x', 'y']);
    expect(listOf({ from: 'a', split: ',' }, { a: ' , ' })).toEqual([]);
  });

  test('values gives nothing for what is not listed', () => {
    const rule = { from: 'a', values: { Español: 'es', 5: 'B' } };
    expect(textOf(rule, { a: 'Español' })).toBe('es');
    expect(textOf(rule, { a: 5 })).toBe('B');
    expect(textOf(rule, { a: 'constructor' })).toBeUndefined();
  });

  test('values lists what gives nothing as ""; unlisted: invalid makes anything else an error', () => {
    const rule = { from: 'a', values: { Good: 5, 'n/a': '' }, unlisted: 'invalid' } as const;
    expect(numberOf(rule, { a: 'Good' })).toBe(5);
    expect(problemsOf({ metrics: { score: rule } }, { a: 'n/a' })).toEqual([]);
    expect(problemsOf({ metrics: { score: rule } }, { a: '' })).toEqual([]);
    expect(problemsOf({ metrics: { score: rule } }, { a: 'Poor' })).toMatchObject([
      { kind: 'unlisted-value', field: 'metrics.score', value: 'Poor' },
    ]);
    const orElse = { ...rule, else: 3, onError: 'else' } as const;
    expect(numberOf(orElse, { a: 'Poor' })).toBe(3);
  });

  test('trim: false keeps white space', () => {
    expect(textOf({ from: 'a', trim: false }, { a: ' x\n' })).toBe(' x\n');
    expect(textOf({ text: '{a}!', trim: false }, { a: ' x ' })).toBe(' x !');
    expect(textOf({ from: 'a', trim: false }, { a: ' \n' })).toBeUndefined();
  });

  test('truncate counts characters as a reader does', () => {
    expect(textOf({ from: 'a', truncate: 3 }, { a: 'abcdef' })).toBe('abc');
    expect(textOf({ from: 'a', truncate: 2 }, { a: '👩‍👩‍👧🇪🇸e\u0301' })).toBe('👩‍👩‍👧🇪🇸');
    expect(textOf({ from: 'a', truncate: 3 }, { a: '👩‍👩‍👧🇪🇸e\u0301' })).toBe('👩‍👩‍👧🇪🇸e\u0301');
    expect(textOf({ from: 'a', truncate: 2 }, { a: 'abe\u0301' })).toBe('ab');
    expect(textOf({ from: 'a', truncate: 2 }, { a: 'ae\u0301x' })).toBe('ae\u0301');
  });
});

describe('numbers', () => {
  test('scale maps one range onto the other, both ends included', () => {
    const rule = { from: 'a', number: ',', scale: { from: [0, 10], to: [1, 5] } } as const;
    expect(numberOf(rule, { a: '9,0' })).toBe(4.6);
    expect(numberOf(rule, { a: '10' })).toBe(5);
    expect(numberOf({ ...rule, scale: { from: [1, 6], to: [5, 1] } }, { a: '2' })).toBe(4.2);
  });

  test('outside of the scale are an error, not a score', () => {
    const score = { from: 'a', number: '.', scale: { from: [0, 10], to: [1, 5] } };
    expect(problemsOf({ metrics: { score } }, { a: '87' })).toEqual([
      {
        kind: 'out-of-scale',
        field: 'metrics.score',
        message: 'column "a": found 87, expected a number from 0 to 10',
        expected: ['a number from 0 to 10'],
        columns: ['a'],
        value: '87',
      },
    ]);
  });

  test('round rounds halves up as they are written', () => {
    expect(numberOf({ from: 'a', round: 2 }, { a: 1.005 })).toBe(1.01);
    expect(numberOf({ from: 'a', round: 0 }, { a: -2.5 })).toBe(-3);
    expect(numberOf({ from: 'a', round: 1 }, { a: 1e300 })).toBe(1e300);
  });

  test('bands give the label of the highest bound that is not above', () => {
    const rule = { from: 'a', bands: { R: 0, B: 8, N: 5 } };
    const labels = [0, 4.9, 5, 7.99, 8, 10].map((a) => textOf(rule, { a }));
    expect(labels).toEqual(['R', 'R', 'N', 'N', 'B', 'B']);
    expect(textOf(rule, { a: -1 })).toBeUndefined();
  });

  test('as plain text do without number; other text is an error', () => {
    expect(textOf({ from: 'a', bands: { B: 4 } }, { a: '4.5' })).toBe('B');
    expect(problemsOf({ sentiment: { from: 'a', bands: { B: 4 } } }, { a: '4,5' })).toMatchObject([
      { kind: 'unreadable-number', field: 'sentiment' },
    ]);
  });
});

describe('dates', () => {
  const published = (rule: object, a: unknown, top: object = {}): unknown => {
    const mapped = mapper({ ...top, document: { published: { from: 'a', ...rule } } })({ a });
    if (mapped.skipped) return 'skipped';
    return mapped.problems[0]?.message ?? mapped.document.published;
  };

  test('are read in the zone of the rule, or of the mapping, or UTC', () => {
    const date = 'dd/MM/yyyy HH:mm';
    const madrid = { zone: 'Europe/Madrid' };
    expect(published({ date }, '03/06/2024 18:30')).toBe('2024-06-03T18:30:00.000Z');
    expect(published({ date }, '03/06/2024 18:30', madrid)).toBe('2024-06-03T16:30:00.000Z');
    expect(published({ date, zone: 'America/Lima' }, '03/06/2024 18:30', madrid)).toBe(
      '2024-06-03T23:30:00.000Z',
    );
  });

  test('are read by the first format that fits', () => {
    const rule = { date: ['iso', 'd.M.yyyy', 'MMMM yyyy'] };
    expect(published(rule, '3.6.2024')).toBe('2024-06-03T00:00:00.000Z');
    expect(published(rule, 'June 2024')).toBe('2024-06-01T00:00:00.000Z');
    expect(published(rule, 'soon')).toBe(
      'column "a": found "soon", expected an ISO 8601 date, or a valid date like d.M.yyyy, or a valid date like MMMM yyyy',
    );
  });

  test('are read in the first language that fits, and letters change case by the first', () => {
    const rule = { date: 'd MMMM yyyy', locale: ['sv', 'fr', 'hr'] };
    expect(published(rule, '3 juni 2024')).toBe('2024-06-03T00:00:00.000Z');
    expect(published(rule, '3 juin 2024')).toBe('2024-06-03T00:00:00.000Z');
    expect(published(rule, '3 listopada 2024')).toBe('2024-10-03T00:00:00.000Z');
    expect(published(rule, '3 giugno 2024')).toMatch(/expected a valid date like/u);
    expect(textOf({ from: 'a', case: 'lower', locale: ['tr', 'en'] }, { a: 'I' })).toBe('ı');
  });

  test('can be counts of seconds or of milliseconds, as numbers or text', () => {
    expect(published({ date: 'epoch-seconds' }, 1718824699)).toBe('2024-06-19T19:18:19.000Z');
    expect(published({ date: 'excel-serial' }, '45438.020833333336')).toBe(
      '2024-05-26T00:30:00.000Z',
    );
    expect(published({ date: 'excel-serial', zone: 'Europe/Berlin' }, 45438)).toBe(
      '2024-05-25T22:00:00.000Z',
    );
    expect(published({ date: 'excel-serial' }, '1718824699')).toMatch(/days since 1900/u);
    expect(published({ date: 'epoch-seconds' }, '1718824699.5')).toBe('2024-06-19T19:18:19.500Z');
    expect(published({ date: 'epoch-millis' }, '1718824699123')).toBe('2024-06-19T19:18:19.123Z');
  });

  test('that mistake seconds for milliseconds are errors', () => {
    expect(published({ date: 'epoch-seconds' }, 1718824699123)).toMatch(/seconds since 1970/u);
    expect(published({ date: 'epoch-millis' }, 1718824699)).toMatch(/write epoch-seconds/u);
  });

  test('can be relative to the moment that the mapping, the rule or the run states', () => {
    const top = { asOf: '2024-03-31' };
    expect(published({ date: 'relative' }, 'vor 2 Monaten', top)).toBe('2024-01-31T00:00:00.000Z');
    const rule = { date: 'relative', asOf: '2024-03-31T12:00:00+02:00' };
    expect(published(rule, 'yesterday', top)).toBe('2024-03-30T10:00:00.000Z');
    const overridden = mapper(
      { ...top, document: { published: { from: 'a', date: 'relative' } } },
      '2020-01-02',
    );
    expect(overridden({ a: 'gestern' })).toMatchObject({
      document: { published: '2020-01-01T00:00:00.000Z' },
    });
  });

  test('can be relative to another column of the record', () => {
    const document = {
      published: { from: 'when', date: 'relative', asOf: { from: 'scraped', date: 'iso' } },
    };
    const map = mapper({ document });
    expect(map({ when: '3 days ago', scraped: '2024-06-10T08:00:00Z' })).toMatchObject({
      document: { published: '2024-06-07T08:00:00.000Z' },
    });
    expect(problemsOf(document, { when: '3 days ago' })).toMatchObject([
      { kind: 'unreadable-date', field: 'published' },
    ]);
    expect(problemsOf(document, { when: '3 days ago', scraped: 'x' })).toMatchObject([
      { kind: 'unreadable-date', field: 'published' },
    ]);
    expect(problemsOf(document, {})).toEqual([]);
  });

  test('of a year beyond 2200 are errors that name the Buddhist calendar, whose remedy works', () => {
    const top = { locale: 'th' };
    const rule = { date: ['d MMM yyyy', 'iso'] };
    for (const text of ['5 ม.ค. 2567', '2567-01-05']) {
      expect(published(rule, text, top)).toBe(
        `column "a": found "${text}", expected a year up to 2200; if 2567 is in the Buddhist calendar, 543 years ahead, set locale: th-u-ca-buddhist and a format like dd/MM/yyyy`,
      );
    }
    const cured = published(rule, '5 ม.ค. 2567', { locale: 'th-u-ca-buddhist' });
    expect(cured).toBe('2024-01-05T00:00:00.000Z');
    expect(published({ date: 'yyyy-MM-dd' }, '2200-12-31')).toBe('2200-12-31T00:00:00.000Z');
    expect(published({ date: ['dd/MM/yyyy', 'yy/MM/dd'] }, '01/02/2201')).toMatch(/if 2201 is/u);
    expect(published({ date: 'epoch-seconds' }, '7289654400')).toBe('2201-01-01T00:00:00.000Z');
  });
});

describe('else', () => {
  const rule = { from: 'a', number: '.', else: '{b}' } as const;

  test('answers for what is blank', () => {
    expect(numberOf(rule, { b: '3' })).toBe(3);
  });

  test('does not answer for what is wrong, unless onError says so', () => {
    expect(() => numberOf(rule, { a: 'x', b: '3' })).toThrow(/unreadable-number/u);
    expect(numberOf({ ...rule, onError: 'else' }, { a: 'x', b: '3' })).toBe(3);
  });
});

describe('a record that can not be read', () => {
  test('has a problem for each field, with column, value and what was expected', () => {
    const document = {
      text: '{text}',
      published: { from: 'Date', date: 'dd/MM/yyyy' },
      metrics: { score: { from: 'Rating', number: ',' } },
      author: { annotations: { room: { from: 'Room' } } },
    };
    const record = { text: 'x', Date: '2024', Rating: 'útil '.repeat(30), Room: { a: 1 } };
    const mapped = mapper({ document })(record);
    expect(mapped).toMatchObject({ skipped: false, document: { text: 'x', metrics: [] } });
    expect(problemsOf(document, record)).toEqual([
      {
        kind: 'unreadable-date',
        field: 'published',
        message: 'column "Date": found "2024", expected a valid date like dd/MM/yyyy',
        expected: ['a valid date like dd/MM/yyyy'],
        columns: ['Date'],
        value: '2024',
      },
      {
        kind: 'unreadable-number',
        field: 'metrics.score',
        message: `column "Rating": found "${'útil '.repeat(8)}…", expected a number with the decimal mark ","`,
        expected: ['a number with the decimal mark ","'],
        columns: ['Rating'],
        value: `${'útil '.repeat(16)}…`,
      },
      {
        kind: 'not-text',
        field: 'author.annotations.room',
        message: 'column "Room": found {"a":1}, expected a text, a number or true/false',
        expected: ['a text, a number or true/false'],
        columns: ['Room'],
        value: '{"a":1}',
      },
    ]);
  });

  test('is one with a list where one value belongs', () => {
    expect(problemsOf({ text: { from: 'a' } }, { a: ['x', 'y'] })).toMatchObject([
      { kind: 'not-text', field: 'text' },
    ]);
    expect(problemsOf({ text: '{a}!' }, { a: ['x'] })).toMatchObject([{ kind: 'not-text' }]);
    expect(problemsOf({ metrics: { n: { from: 'a' } } }, { a: [1, 2] })).toMatchObject([
      { kind: 'unreadable-number', field: 'metrics.n' },
    ]);
  });
});
