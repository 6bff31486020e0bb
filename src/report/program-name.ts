/** How a user calls this program. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

let ofProcess: string | undefined;

/** Returns what to type to call docferry in this process. */
export function programName(): string {
  ofProcess ??= programNameIn(process.env);
  return ofProcess;
}

/** Names of the program, and of what package managers put on the PATH to start it on Windows. */
const FILES = ['docferry', 'docferry.cmd', 'docferry.exe'];

/** Returns `docferry` if that is on the PATH of the calling shell, otherwise `npx docferry`. */
export function programNameIn({ PATH = '', npm_command: npm }: NodeJS.ProcessEnv): string {
  // npm adds its folders to the PATH of the programs that it runs, but not to that of the calling shell.
  const isOfShell = (folder: string): boolean =>
    folder !== '' && !(npm !== undefined && folder.endsWith(path.join('node_modules', '.bin')));
  const folders = PATH.split(path.delimiter).filter(isOfShell);
  const isThere = folders.some((folder) =>
    FILES.some((file) => isProgram(path.join(folder, file))),
  );
  return isThere ? 'docferry' : 'npx docferry';
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Commands that messages name, and the quoted values in them, which stay as they are. */
const NAMED =
  /"(?:[^"\\\n]|\\.)*"|(?<=^|[\s`(])(?<!npx )docferry(?=\s+(?:guess|import|jobs|mapping|preview|report|runs|sandbox|studio|validate|verify)\b)/gm;

/** Names commands as a user types them: messages know only `docferry`. */
export function withProgramName(text: string): string {
  return text.replaceAll(NAMED, (found) => (found.startsWith('"') ? found : programName()));
}
