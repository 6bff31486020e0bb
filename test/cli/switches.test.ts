import { expect, it } from 'vitest';
import { newFolder, put } from '../helpers/files.js';
import { minimalYaml } from '../helpers/reviews.js';
import { docferry } from '../helpers/run-cli.js';

it('a switch with a value is refused: it would be taken for left out', async () => {
  const cwd = newFolder();
  put(cwd, 'r.csv', 'id,text\n1,Good\n');
  put(cwd, 'm.yaml', minimalYaml());
  const importing = ['import', 'r.csv', '-m', 'm.yaml', '--monitoring', '1'];
  // An address where nothing listens: without --sandbox, the import would go there.
  const env = {
    DOCFERRY_BASE_URL: 'http://127.0.0.1:9/5.0',
    DOCFERRY_USERNAME: 'u',
    DOCFERRY_API_KEY: 'k',
  };
  for (const value of ['yes', '1', '']) {
    const { code, stderr } = await docferry([...importing, `--sandbox=${value}`], { cwd, env });
    expect(stderr).toMatch(/--sandbox takes no value, but is given as "/);
    expect(code).toBe(2);
  }
  expect(await docferry([...importing, '--sandbox=true'], { cwd })).toMatchObject({ code: 0 });
});
