import { describe, expect, it } from 'vitest';
import type {
  Annotation,
  ImportedAuthor,
  ImportedDocument,
  Metric,
} from '../../src/model/document.js';
import { profileSchema } from '../../src/validation/schemas.js';

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}

const schema = profileSchema('complete') as { $defs: { document: Node } };
const fields = schema.$defs.document.properties ?? {};
const names = (node: Node | undefined) => Object.keys(node?.properties ?? {}).sort();

/** One entry for each field of a type: the type checker sees to that. */
type FieldsOf<T> = Readonly<Record<keyof T, true>>;

describe('the schema of the imported document', () => {
  it('has the fields of the type, at every level', () => {
    const document: FieldsOf<ImportedDocument> = {
      source: true,
      sourceId: true,
      parentSourceId: true,
      text: true,
      language: true,
      sentiment: true,
      detectedLocations: true,
      published: true,
      downloaded: true,
      url: true,
      metrics: true,
      tags: true,
      author: true,
    };
    const author: FieldsOf<ImportedAuthor> = {
      source: true,
      sourceId: true,
      username: true,
      annotations: true,
    };
    const pair: FieldsOf<Metric> & FieldsOf<Annotation> = { name: true, value: true };
    expect(Object.keys(fields).sort()).toEqual(Object.keys(document).sort());
    expect(names(fields['author'])).toEqual(Object.keys(author).sort());
    expect(names(fields['metrics']?.items)).toEqual(Object.keys(pair).sort());
    expect(names(fields['author']?.properties?.['annotations']?.items)).toEqual(
      Object.keys(pair).sort(),
    );
  });

  it('says of every field what it is and where the fact comes from', () => {
    const undescribed: string[] = [];
    const visit = (node: Node, path: string) => {
      for (const [name, field] of Object.entries(node.properties ?? {})) {
        if (!field.description?.includes('REST API 5.0')) undescribed.push(`${path}${name}`);
        visit(field, `${path}${name}.`);
        if (field.items) visit(field.items, `${path}${name}[].`);
      }
    };
    visit(schema.$defs.document, '');
    expect(undescribed).toEqual([]);
  });
});
