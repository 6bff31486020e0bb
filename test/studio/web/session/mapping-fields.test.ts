import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMapping, editMapping } from '../../../../src/index.js';
import { parseYamlOrNull } from '../../../../src/operations/studio/sample-source.js';
import { documentRows, fieldsOf } from '../../../../src/studio/web/session/mapping-fields.js';
import { ROOT } from '../../../helpers/markdown.js';
import { eachSample } from '../../../helpers/runs.js';

const FOLDER = path.join(ROOT, 'mappings');
/** One has anchors, which are not changed one by one. */
const MAPPINGS = readdirSync(FOLDER).filter(
  (name) => name.endsWith('.yaml') && name !== 'typeform.yaml',
);

describe('the fields of a mapping', () => {
  it('are its rules, in order, whatever they are grouped by', () => {
    const text =
      'document:\n  text: "{a}"\n  metrics: { score: { from: b } }\n  tags: ["{c}"]\n  author: { annotations: { room: "{d}" } }\n';
    expect(fieldsOf(parseYamlOrNull(text)).map(({ name }) => name)).toEqual([
      'text',
      'metrics.score',
      'tags',
      'author.annotations.room',
    ]);
    expect(fieldsOf(null)).toEqual([]);
    expect(fieldsOf(parseYamlOrNull('document: 3'))).toEqual([]);
  });

  eachSample(2)(MAPPINGS)(
    'of %s can each be taken from another column, whatever it is called',
    (name) => {
      const text = readFileSync(path.join(FOLDER, name), 'utf8');
      const mistakes = (one: string) =>
        checkMapping(one).filter(({ severity }) => severity === 'error');
      for (const field of fieldsOf(parseYamlOrNull(text)).filter(
        ({ name: one }) => one !== 'tags',
      )) {
        for (const column of ['Plain', 'with {braces}', '"quoted": yes']) {
          const edited = editMapping(text, { path: field.path, value: { from: column } });
          expect(mistakes(edited), `${field.name} from ${column}`).toEqual([]);
        }
      }
    },
  );
});

describe('the rows of a document', () => {
  it('are called as the rules that make them', () => {
    const document = {
      sourceId: '7',
      metrics: [{ name: 'score', value: 4 }],
      detectedLocations: ['country: España'],
      tags: ['a', 'b'],
      author: { username: 'Ana', annotations: [{ name: 'room', value: 'double' }] },
    };
    expect(documentRows(document)).toEqual([
      ['sourceId', '7'],
      ['metrics.score', 4],
      ['detectedLocations.country', 'country: España'],
      ['tags[0]', 'a'],
      ['tags[1]', 'b'],
      ['author.username', 'Ana'],
      ['author.annotations.room', 'double'],
    ]);
  });
});
