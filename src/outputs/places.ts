import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where a path leads: absolute, links followed. What isn't there yet stays as it is written. */
export function placeOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const whole = path.resolve(file);
    const folder = path.dirname(whole);
    return folder === whole ? whole : path.join(placeOf(folder), path.basename(whole));
  }
}

/** The place of a name: what stands there may be a link, which isn't followed. */
export function placeOfName(file: string): string {
  const whole = path.resolve(file);
  return path.join(placeOf(path.dirname(whole)), path.basename(whole));
}

/** Whether two paths are the same file, by whatever link, spelling or second name. */
export function isSameFile(a: string, b: string): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  if (one !== undefined || other !== undefined) return one === other;
  return placeOf(a) === placeOf(b);
}

/** The folders in which a file lies, the innermost first. */
export function foldersAround(file: string): readonly string[] {
  const folder = path.dirname(placeOf(file));
  const outer = path.dirname(folder);
  return outer === folder ? [folder] : [folder, ...foldersAround(folder)];
}

/** `undefined` for what isn't there, or can't be reached. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
