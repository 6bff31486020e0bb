import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Whoever reads it while another build goes on finds the old file or the new one, and no half. */
export function replaceFile(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
