import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { draftPath, OutputFile, type OutputMark, placeOfName } from './output-file.js';

/** The files that a run writes for its user; decides which existing files it may replace. */
export class RunOutputs {
  readonly #run: string;
  readonly #force: boolean;
  #marks: readonly OutputMark[];
  readonly #written = new Set<string>();
  /** Existing files as they were found first, by place; `undefined` if there was none. */
  readonly #found = new Map<string, OutputMark | undefined>();
  #remember: (marks: readonly OutputMark[]) => void = () => {};

  /**
   * @param run the run's id
   * @param force whether existing files may be replaced
   * @param marks files left by earlier processes of this run
   */
  constructor(
    run: string,
    { force, marks }: { readonly force: boolean; readonly marks: readonly OutputMark[] },
  ) {
    this.#run = run;
    this.#force = force;
    this.#marks = marks;
  }

  /**
   * Returns whether a file may be replaced: this run wrote it and it is unchanged, or `force` is
   * set, or another run wrote it, before this method was first called for it.
   * @param wroteEarlier recognises files of other runs; by default, none may be replaced
   */
  mayReplace(file: string, wroteEarlier: (file: string) => boolean = () => false): boolean {
    const isAsFound = this.#isAsFound(file);
    return this.#force || this.#isOwn(file) || (isAsFound && wroteEarlier(file));
  }

  /** Remedy for a conflict with an existing file, for the end of a sentence. */
  remedyFor(file: string): string {
    const force = 'give --force to replace it';
    const place = placeOfName(file);
    if (this.#marks.some((mark) => mark.path === place)) {
      return `it was changed since the run ${this.#run} wrote it. Move it away, or ${force}`;
    }
    const { dir, name, ext } = path.parse(file);
    const free = path.join(dir, `${name}-{run}${ext}`);
    return `name another one, for example ${free} ({run} becomes the run's id), or ${force}`;
  }

  /** Sets a function that stores the written files, for a process that resumes this run. */
  rememberWith(remember: (marks: readonly OutputMark[]) => void): void {
    this.#remember = remember;
  }

  /**
   * @param wroteEarlier as for `mayReplace`
   * @throws OutputError
   */
  create(file: string, wroteEarlier?: (file: string) => boolean): OutputFile {
    this.#written.add(placeOfName(file));
    return new OutputFile(file, {
      draft: this.#run,
      mayReplace: () => this.mayReplace(file, wroteEarlier),
      onWhole: (mark) => this.#add(mark),
    });
  }

  /**
   * Removes files of earlier processes of this run (with `force`, of others, too) that this process
   * hasn't written.
   */
  removeOld(files: readonly string[]): void {
    for (const file of files) {
      const isOld = !this.#written.has(placeOfName(file)) && this.mayReplace(file);
      if (isOld) rmSync(file, { force: true });
    }
  }

  /** Removes drafts of a killed process of this run, for files that this process hasn't written. */
  removeDrafts(folder: string, isOurs: (file: string) => boolean): void {
    const end = draftPath('', this.#run);
    for (const name of readdirSync(folder)) {
      const file = path.join(folder, name.slice(0, -end.length));
      const isOld = name.endsWith(end) && !this.#written.has(placeOfName(file)) && isOurs(file);
      if (isOld) rmSync(path.join(folder, name), { force: true });
    }
  }

  /**
   * Adds a mark, and keeps the old one while its file is unchanged: the process may be killed
   * before the new file gets its name.
   */
  #add(mark: OutputMark): void {
    this.#marks = [
      ...this.#marks.filter((old) => old.path !== mark.path || isUnchanged(old)),
      mark,
    ];
    this.#remember(this.#marks);
  }

  /** Returns whether a file is there and hasn't been written since it was first asked for. */
  #isAsFound(file: string): boolean {
    const place = placeOfName(file);
    if (!this.#found.has(place)) this.#found.set(place, outputMark(place));
    const found = this.#found.get(place);
    return found !== undefined && isUnchanged(found);
  }

  #isOwn(file: string): boolean {
    const place = placeOfName(file);
    return this.#marks.some((mark) => mark.path === place && isUnchanged(mark));
  }
}

function outputMark(file: string): OutputMark | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found && { path: file, size: found.size, modifiedMs: found.mtimeMs };
}

function isUnchanged({ path: file, size, modifiedMs }: OutputMark): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === size && found.mtimeMs === modifiedMs;
}
