/**
 * Joins the studio's page into three files, `dist/studio/web/`, beside the licences of the packages in
 * them: part of `npm run build`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.js';
import { replaceFile } from './replace-file.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FROM = path.join(ROOT, 'src/studio/web');
const TO = path.join(ROOT, 'dist/studio/web');

const build = await rolldown({
  input: path.join(FROM, 'main.tsx'),
  platform: 'browser',
  // Modules name each other as they are called once they are built.
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  tsconfig: path.join(FROM, 'tsconfig.json'),
});
const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: true });
await build.close();

// The editor's own styles come first, as the page's rely on them.
const editor = fileURLToPath(import.meta.resolve('prism-code-editor/layout.css'));
const styles = [editor, path.join(FROM, 'app.css')].map((file) => readFileSync(file, 'utf8'));
replaceFile(path.join(TO, 'app.js'), output[0].code);
replaceFile(path.join(TO, 'app.css'), styles.join('\n'));
replaceFile(path.join(TO, 'LICENSES.txt'), licencesOf([...output[0].moduleIds, editor]));
replaceFile(path.join(TO, 'index.html'), readFileSync(path.join(FROM, 'index.html')));
