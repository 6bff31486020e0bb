import { expect, it } from 'vitest';
import { validateDocuments } from '../../../src/index.js';

const CSV = `id,payload,a.b
1,"{""text"": ""Fine"", ""user"": {""name"": ""Ana""}}",x
2,"{""text"": """"}",y
3,not JSON,z
`;
const report = (text: string): ReturnType<typeof validateDocuments> =>
  validateDocuments({
    input: [Buffer.from(CSV)],
    mapping: {
      profile: 'minimal',
      document: {
        sourceId: '{id}',
        text,
        language: 'en',
        author: { username: '{payload.user.name}', annotations: { other: '{a.b}' } },
      },
    },
  });

it('reads JSON in the cells of a table by path, and a column with a dot by its name', async () => {
  const { counts, problems } = await report('{payload.text}');
  expect(counts).toMatchObject({ read: 3, invalid: 2 });
  expect(problems).toMatchObject([{ kind: 'missing-field', count: 2 }]);
});

it('names a path whose column is not there', async () => {
  await expect(report('{paylod.text}')).rejects.toThrow('there is no column "paylod.text"');
});
