/**
 * What a command's start leaves for the next one: what V8 has compiled of docferry's own files, which
 * this loads, and answers that take long to find. Node's own cache (`module.enableCompileCache`)
 * keeps what V8 compiles when it reads a file; but most functions are compiled when they are first
 * called. So here V8 is asked at the end of a command, and what each command needs is one file.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { crc32 } from 'node:zlib';
import { type Compiled, type Kept, NOTHING, readKept, writeKept } from './start-file.js';

/** For Node's own modules, and packages: of those, all files of docferry's see the same. */
const otherwise = createRequire(import.meta.url);

/** CommonJS files of docferry's own, with what an earlier start has left. */
export class StartCache {
  readonly #file: string | undefined;
  readonly #kept: Kept;
  readonly #scripts = new Map<string, { readonly checksum: number; readonly script: vm.Script }>();
  readonly #modules = new Map<string, { exports: unknown }>();
  #isComplete = true;
  /** Whether all that was loaded is what the earlier start loaded. */
  #isSame = true;

  /** @param file where it is kept; `undefined`: nowhere */
  constructor(file: string | undefined) {
    this.#file = file;
    this.#kept = file === undefined ? NOTHING : readKept(file);
  }

  /** What {@link keep} was given by an earlier start: none, if what is loaded says something else now. */
  get answers(): string {
    return this.#isSame ? this.#kept.answers : NOTHING.answers;
  }

  /** Loads a file, if it isn't yet, and all that it requires. */
  load(url: URL): unknown {
    const loaded = this.#modules.get(url.href);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.#modules.set(url.href, module);
    const require = (id: string): unknown =>
      /^\.{1,2}\/.*\.cjs$/.test(id) ? this.load(new URL(id, url)) : otherwise(id);
    const name = fileURLToPath(url);
    const run = this.#compiled(url).runInThisContext() as (...names: unknown[]) => void;
    run.call(module.exports, module.exports, require, module, name, path.dirname(name));
    return module.exports;
  }

  /** Keeps what is compiled and answered by now, if it wasn't all there. For a command's end. */
  keep(answers: string): void {
    if (this.#file === undefined || (this.#isComplete && answers === this.#kept.answers)) return;
    try {
      writeKept(this.#file, { compiled: this.#all(), answers });
    } catch {
      // Without it, the next start takes as long as this one.
    }
  }

  #compiled({ href }: URL): vm.Script {
    const source = wrapped(new URL(href));
    const checksum = crc32(source);
    const kept = this.#kept.compiled.get(href);
    const isSame = kept === undefined || kept.checksum === checksum;
    if (!isSame) this.#isSame = false;
    const script = new vm.Script(source.toString('utf8'), {
      filename: href,
      ...(kept !== undefined && isSame ? { cachedData: kept.code } : {}),
    });
    // It is rejected if it comes from another version of V8, or from one with other flags.
    if (script.cachedDataRejected !== false) this.#isComplete = false;
    this.#scripts.set(href, { checksum, script });
    return script;
  }

  /** What was kept of other files belongs to it as well: another run of the command needs them. */
  #all(): ReadonlyMap<string, Compiled> {
    const all = new Map(this.#kept.compiled);
    for (const [name, { checksum, script }] of this.#scripts) {
      const kept = script.cachedDataRejected === false ? this.#kept.compiled.get(name) : undefined;
      const code = script.createCachedData();
      // There is less of it where this run has called fewer functions, or threads have.
      if (code.length >= (kept?.code.length ?? 0)) all.set(name, { checksum, code });
    }
    return all;
  }
}

/** What Node puts around a module's text. */
const HEAD = Buffer.from('(function (exports, require, module, __filename, __dirname) { ');
const TAIL = Buffer.from('\n});');

/** A module's text as a function's, read to where it belongs: V8 would copy what is put together. */
function wrapped(file: URL): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const whole = Buffer.allocUnsafeSlow(HEAD.length + size + TAIL.length);
    HEAD.copy(whole);
    if (readSync(descriptor, whole, HEAD.length, size, 0) < size)
      throw new Error(`${file} was cut`);
    TAIL.copy(whole, HEAD.length + size);
    return whole;
  } finally {
    closeSync(descriptor);
  }
}
