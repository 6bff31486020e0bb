import { describe, expect, it } from 'vitest';
import { readMappingText } from '../../../../src/operations/studio/sample-source.js';
import { documentRows, mappingFields } from '../../../../src/studio/web/session/mapping-fields.js';

describe('the fields of a mapping', () => {
  it('are its rules, in order, whatever they are grouped by', () => {
    const text =
      'document:\n  text: "{a}"\n  metrics: { score: { from: b } }\n  tags: ["{c}"]\n  author: { annotations: { room: "{d}" } }\n';
    expect(mappingFields(readMappingText(text, '').written).map(({ name }) => name)).toEqual([
      'text',
      'metrics.score',
      'tags.0',
      'author.annotations.room',
    ]);
    expect(mappingFields(null)).toEqual([]);
    expect(mappingFields(readMappingText('document: 3', '').written)).toEqual([]);
  });
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
