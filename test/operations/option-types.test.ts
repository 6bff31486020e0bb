/** Mistakes that the compiler refuses; `npm run types` checks them. */
import { expect, it } from 'vitest';
import {
  type ImportOptions,
  importDocuments,
  type Mapping,
  type ValidateOptions,
  validateDocuments,
} from '../../src/index.js';

interface Row {
  readonly id: number;
  readonly body: string | null;
  readonly at: Date;
}

const rows: readonly Row[] = [];

it('the options of a run are typed by the records, and by the document', async () => {
  const typed = validateDocuments<Row>({
    input: rows,
    mapping: ({ id, body, at }) =>
      body === null ? undefined : { sourceId: String(id), text: body, published: at },
  });
  expect((await typed).counts.read).toBe(0);

  const options: Pick<ValidateOptions<Row>, 'mapping'>[] = [
    // @ts-expect-error a record has no name
    { mapping: ({ name }: Row) => ({ text: name }) },
    // @ts-expect-error the document has a sentiment
    { mapping: () => ({ sentimnt: 'B' }) },
    // @ts-expect-error a text is no number
    { mapping: ({ id }) => ({ text: id }) },
    // @ts-expect-error a document is made at once
    { mapping: async () => ({ text: 'Fine' }) },
    // @ts-expect-error a mapping has a document
    { mapping: { name: 'Reviews' } },
    // @ts-expect-error a rule is called else
    { mapping: { document: { text: { from: 'body', esle: 'none' } } } },
  ];
  expect(options).toHaveLength(6);
});

it('a mapping and the body of a response fit', () => {
  const mapping: Mapping = { document: { sourceId: '{id}', text: '{body}' } };
  const start = (
    body: NonNullable<Response['body']>,
    more: Omit<ImportOptions, 'input' | 'mapping'>,
  ) => importDocuments({ stateDir: false, ...more, input: body, mapping });
  expect(start).toBeTypeOf('function');
});
