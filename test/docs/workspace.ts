import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT, snippets } from '../helpers/markdown.js';

/** A file as the README imagines it, for the README's own mapping. */
const REVIEWS = `Review ID,Title,Liked,Disliked,Date,Rating,Guest
41,Volveremos,"El desayuno, las vistas y la amabilidad de todo el personal.",El aparcamiento es muy estrecho,03/06/2024 18:30,"9,0",Ana
42,,"The room was very quiet and the bed was the best we slept in.",,04/06/2024 09:10,"8,5",Tom
43,Schade,,"Das Zimmer war leider sehr laut und das Frühstück kalt.",05/06/2024 22:05,"4,0",Jutta
`;

/** What a tap writes of one of them, for a target with this config. */
const TAP = [
  { type: 'SCHEMA', stream: 'reviews', schema: { type: 'object' }, key_properties: ['Review ID'] },
  {
    type: 'RECORD',
    stream: 'reviews',
    record: {
      ...{ 'Review ID': '44', Title: 'Lovely', Liked: 'The garden was lovely and quiet.' },
      ...{ Disliked: '', Date: '06/06/2024 10:00', Rating: '9,5', Guest: 'Eve' },
    },
  },
  { type: 'STATE', value: { reviews: 44 } },
];
const TARGET = { monitoring: 1, streams: { reviews: { mapping: 'mapping.yaml' } } };

/** A folder in which the commands of the docs make sense. */
export interface Workspace {
  readonly folder: string;
  /** The environment, with `docferry` on the path. */
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** Makes such a folder: the package installed, its samples and mappings, and the README's example. */
export function makeWorkspace(): Workspace {
  const folder = mkdtempSync(path.join(tmpdir(), 'docferry-docs-'));
  const bin = path.join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(ROOT, path.join(folder, 'node_modules/docferry'));
  symlinkSync('../docferry/dist/cli/main.js', path.join(bin, 'docferry'));
  for (const name of ['samples', 'mappings']) {
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  }
  mkdirSync(path.join(folder, 'exports'));
  writeFileSync(path.join(folder, 'reviews.csv'), REVIEWS);
  writeFileSync(path.join(folder, 'exports/monday.csv'), REVIEWS);
  for (const name of ['mapping.yaml', 'reviews.yaml']) {
    writeFileSync(path.join(folder, name), firstYaml('README.md'));
  }
  writeFileSync(path.join(folder, 'target.json'), JSON.stringify(TARGET));
  writeFileSync(
    path.join(folder, 'tap.jsonl'),
    TAP.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  writeFileSync(path.join(folder, 'faults.yaml'), firstYaml('docs/faults.md'));
  writeFileSync(path.join(folder, 'docferry.yaml'), firstYaml('docs/jobs.md'));
  return {
    folder,
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}` },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The first YAML that a page shows. */
function firstYaml(page: string): string {
  const first = snippets().find(({ at, language }) => at.startsWith(page) && language === 'yaml');
  if (first === undefined) throw new Error(`${page} shows no YAML`);
  return first.code;
}
