import { expect } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferryEach, environmentOf } from '../helpers/run-cli.js';
import { longTest } from '../helpers/runs.js';

longTest('a switch with a value is refused: it would be taken for left out', async () => {
  const cwd = newFolder();
  put(cwd, 'r.csv', 'id,text\n1,Good\n');
  put(cwd, 'm.yaml', minimalYaml());
  const importing = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];
  // An address where nothing listens: without --sandbox, the import would go there.
  const env = environmentOf({ baseUrl: 'http://127.0.0.1:9/5.0' });
  const lines = ['yes', '1', '', 'true'].map((value) => [...importing, `--sandbox=${value}`]);
  const all = await docferryEach(lines, { cwd, env });
  const stderr = expect.stringMatching(/--sandbox takes no value, but is given as "/);
  for (const refused of all.slice(0, -1)) expect(refused).toMatchObject({ code: 2, stderr });
  expect(all.at(-1)).toMatchObject({ code: 0 });
});
