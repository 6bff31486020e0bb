import { describe, expect, it } from 'vitest';
import { compileMapping } from '../../../src/mapping/compile/compile-mapping.js';
import { parseMapping } from '../../../src/mapping/load/load-mapping.js';
import { undatedFields } from '../../../src/mapping/rules.js';
import { MappingError } from '../../../src/model/errors.js';

const record = { id: '1', when: 'vor 2 Monaten' };

/** The document's `published` and its problems, for a rule and what is stated around it. */
function published(rule: string, top = '', asOf?: string, when = record.when) {
  const text = `${top}\ndocument: { sourceId: "{id}", published: ${rule} }`;
  const mapping = parseMapping(text, 'm.yaml');
  const context = { columns: null, downloaded: '2025-01-01T00:00:00.000Z', ...(asOf && { asOf }) };
  const mapped = compileMapping(mapping, context)({ ...record, when });
  if (mapped.skipped) throw new Error('The record was skipped.');
  const fields = undatedFields(mapping, asOf);
  return { published: mapped.document.published, problems: mapped.problems, fields };
}

describe('relative dates', () => {
  const ifStated = '{ from: when, date: relative, asOf: if-stated }';

  it('with asOf: if-stated give nothing, and no problem, when nobody states an asOf', () => {
    const expected = { published: undefined, problems: [], fields: ['document.published'] };
    expect(published(ifStated)).toEqual(expected);
  });

  it('with asOf: if-stated keep the dates that are whole', () => {
    const mixed = '{ from: when, date: [relative, d MMM yyyy], asOf: if-stated }';
    expect(published(mixed).problems).toEqual([]);
    expect(published(mixed, '', undefined, '3 Apr 2023').published).toBe(
      '2023-04-03T00:00:00.000Z',
    );
    expect(published(mixed, '', undefined, 'in spring').problems).toHaveLength(1);
  });

  it('with asOf: if-stated count back from the asOf of the run, or of the mapping', () => {
    const read = { published: '2024-04-15T00:00:00.000Z', problems: [], fields: [] };
    expect(published(ifStated, '', '2024-06-15')).toEqual(read);
    expect(published(ifStated, 'asOf: 2024-06-15')).toEqual(read);
  });

  it('without it keep the run from starting when nobody states an asOf', () => {
    const rule = '{ from: when, date: relative }';
    expect(() => published(rule)).toThrow(MappingError);
    expect(() => published(rule)).toThrow(/published.*--as-of/);
  });
});
