import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { draftPath, OutputFile, type OutputMark, placeOfName } from './output-file.js';

/** The files that a run writes for its user, and which of those that are there it may replace. */
export class RunOutputs {
  readonly #run: string;
  readonly #force: boolean;
  #marks: readonly OutputMark[];
  readonly #written = new Set<string>();
  #remember: (marks: readonly OutputMark[]) => void = () => {};

  /**
   * @param run the run's id
   * @param force whether it was said that what is there may be replaced
   * @param marks the files that earlier processes of this run have left
   */
  constructor(
    run: string,
    { force, marks }: { readonly force: boolean; readonly marks: readonly OutputMark[] },
  ) {
    this.#run = run;
    this.#force = force;
    this.#marks = marks;
  }

  /** Puts the run's id in place of `{run}`, so that each run has a file of its own. */
  named(file: string): string {
    return file.replaceAll('{run}', this.#run);
  }

  /** Whether a file may be replaced: this run has made it, and nobody has changed it; or by force. */
  mayReplace(file: string): boolean {
    return this.#force || this.#isOwn(file);
  }

  /** For the end of a sentence about a file that may not be replaced. */
  remedyFor(file: string): string {
    const force = 'give --force (force) to replace it';
    const place = placeOfName(file);
    if (this.#marks.some((mark) => mark.path === place)) {
      return `it was changed since the run ${this.#run} wrote it. Move it away, or ${force}`;
    }
    const { dir, name, ext } = path.parse(file);
    const free = path.join(dir, `${name}-{run}${ext}`);
    return `name another one (${free} gets the run's id into its name), or ${force}`;
  }

  /** Says where to keep what was written, for a process that resumes this run. */
  rememberWith(remember: (marks: readonly OutputMark[]) => void): void {
    this.#remember = remember;
  }

  /** @throws OutputError */
  create(file: string): OutputFile {
    this.#written.add(placeOfName(file));
    return new OutputFile(file, {
      draft: this.#run,
      mayReplace: () => this.mayReplace(file),
      onWhole: (mark) => this.#add(mark),
    });
  }

  /** Removes what earlier processes of this run, or by force others, left of files it has not written. */
  removeOld(files: readonly string[]): void {
    for (const file of files) {
      const isOld = !this.#written.has(placeOfName(file)) && this.mayReplace(file);
      if (isOld) rmSync(file, { force: true });
    }
  }

  /** Removes drafts in a folder that a killed process of this run left of files it has not written. */
  removeDrafts(folder: string, isOurs: (file: string) => boolean): void {
    const end = draftPath('', this.#run);
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name.slice(0, -end.length));
      const isOld = name.endsWith(end) && !this.#written.has(placeOfName(file)) && isOurs(file);
      if (isOld) rmSync(path.join(folder, name), { force: true });
    }
  }

  /** What the mark is for may not have its name before the process is killed: the old one stays. */
  #add(mark: OutputMark): void {
    this.#marks = [...this.#marks.filter((old) => old.path !== mark.path || isLeft(old)), mark];
    this.#remember(this.#marks);
  }

  #isOwn(file: string): boolean {
    const place = placeOfName(file);
    return this.#marks.some((mark) => mark.path === place && isLeft(mark));
  }
}

/** Whether a file is as it was left. */
function isLeft({ path: file, size, modifiedMs }: OutputMark): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === size && found.mtimeMs === modifiedMs;
}
