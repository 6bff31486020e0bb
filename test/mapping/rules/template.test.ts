import { expect, test } from 'vitest';
import { parseTemplate, templateColumns } from '../../../src/mapping/rules.js';

test.each([
  ['{a} and {b c}', ['a', 'b c']],
  ['{{a}}', []],
  ['{{{a}}}', ['a']],
  ['} {a}', ['a']],
  ['', []],
])('%j names the columns %j', (template, columns) => {
  expect(templateColumns(template)).toEqual(columns);
});

test.each([
  ['{a', 'the brace of "{a" is never closed; write {{ for a brace that is text'],
  ['a {{b} {', 'the brace of "{" is never closed; write {{ for a brace that is text'],
  ['{}', 'the placeholder {} names no column; write { from: "" } for a column without a name'],
  ['{a {b}', 'the placeholder at "{a {b}" holds another brace; write {{ for a brace that is text'],
])('%j is a mistake', (template, mistake) => {
  expect(parseTemplate(template)).toEqual({ mistake });
});
