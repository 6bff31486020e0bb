import { spawnSync } from 'node:child_process';
import { parse } from 'yaml';
import { newFolder, put } from '../../helpers/files.js';

/**
 * The values of an object that Kubernetes doesn't know, by path. kubectl reads it into Kubernetes' own
 * types, changes an image and writes it again: what it doesn't know is gone, and a value of a wrong type
 * is refused. `{}` has no values, and so isn't compared.
 */
export function unknownToKubernetes(yaml: string): readonly string[] {
  const file = put(newFolder(), 'object.yaml', yaml);
  const args = ['set', 'image', '--local', '--filename', file, '*=other', '--output=json'];
  const { stdout, stderr } = spawnSync('kubectl', args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const known = new Map(leavesOf(JSON.parse(stdout)));
  return leavesOf(parse(yaml)).flatMap(([at, value]) =>
    known.get(at) === value || at.endsWith('.image') ? [] : [at],
  );
}

/** The values in an object, by path. */
function leavesOf(value: unknown, at = ''): readonly (readonly [path: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null) return [[at, value]];
  return Object.entries(value).flatMap(([name, inside]) => leavesOf(inside, `${at}.${name}`));
}
