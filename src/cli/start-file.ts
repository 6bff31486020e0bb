/** The file in which a command's start leaves something for the next: where it is, and what is in it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/** What V8 is given has to begin at such a multiple, or it is copied. */
const ALIGNMENT = 8;
const HEAD_BYTES = 8;
/** How long it stays there, in milliseconds: a quarter of a year. */
const MAX_AGE = 90 * 24 * 3_600_000;

/** What V8 has compiled of a file. */
export interface Compiled {
  /** Of the file's bytes: V8 itself looks at their number alone. */
  readonly checksum: number;
  readonly code: Buffer;
}

/** What is in the file. */
export interface Kept {
  /** By a file's URL. */
  readonly compiled: ReadonlyMap<string, Compiled>;
  /** As the program has written them. */
  readonly answers: string;
}

export const NOTHING: Kept = { compiled: new Map(), answers: '[]' };

/** @throws the system's error if it can't be written */
export function writeKept(file: string, kept: Kept): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, written(kept), { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  removeOld(path.dirname(file));
}

/** Nothing, if there is none, or it is damaged: V8 would run that, or end the process. */
export function readKept(file: string): Kept {
  try {
    const whole = readFileSync(file);
    if (whole.readUInt32LE(0) !== crc32(whole.subarray(4))) return NOTHING;
    const length = whole.readUInt32LE(4);
    const text = whole.toString('utf8', HEAD_BYTES, HEAD_BYTES + length);
    const { answers, entries }: { answers: string; entries: Entry[] } = JSON.parse(text);
    const compiled = new Map<string, Compiled>();
    let at = HEAD_BYTES + length + paddingOf(length);
    for (const [name, checksum, bytes] of entries) {
      compiled.set(name, { checksum, code: whole.subarray(at, at + bytes) });
      at += bytes + paddingOf(bytes);
    }
    return { compiled, answers };
  } catch {
    // It isn't there, or can't be read.
    return NOTHING;
  }
}

/** Another version, or another place, may have left it; whoever still needs it makes it anew. */
function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).mtimeMs < oldest) unlinkSync(file);
  }
}

/** A file's name, its checksum, and the length of what is compiled of it. */
type Entry = readonly [string, number, number];

/** What {@link readKept} reads: a checksum of all that follows, answers and names, and the code. */
function written({ compiled, answers }: Kept): Buffer {
  const entries = Array.from(
    compiled,
    ([name, { checksum, code }]): Entry => [name, checksum, code.length],
  );
  const text = Buffer.from(JSON.stringify({ answers, entries }));
  const pieces = [text, ...Array.from(compiled.values(), ({ code }) => code)];
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 4);
  const padded = pieces.flatMap((piece) => [piece, Buffer.alloc(paddingOf(piece.length))]);
  const whole = Buffer.concat([head, ...padded]);
  whole.writeUInt32LE(crc32(whole.subarray(4)));
  return whole;
}

function paddingOf(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/**
 * Where what a command needs is kept: a file of the user's own, as V8 runs what is there.
 * @param program the folder of what is loaded
 * @param command the first argument, if there is one
 * @returns `undefined` where there is no folder for caches, or others can write there
 */
export function startFile(
  program: string,
  command: string | undefined,
  { XDG_CACHE_HOME, HOME, LOCALAPPDATA, NODE_DISABLE_COMPILE_CACHE }: NodeJS.ProcessEnv,
): string | undefined {
  const caches = XDG_CACHE_HOME || (HOME ? path.join(HOME, '.cache') : LOCALAPPDATA);
  const name = /^-{0,2}([a-z][a-z-]{0,30})$/.exec(command ?? 'help')?.[1];
  if (NODE_DISABLE_COMPILE_CACHE || !caches || name === undefined) return undefined;
  const folder = path.join(caches, 'docferry');
  try {
    // One by one: to make several at once, Node tries for ever on a file system like /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (!isOwn(folder)) return undefined;
  } catch {
    return undefined;
  }
  const { version, versions, arch } = process;
  const place = crc32(program).toString(16);
  // With the data of time zones, which a system may renew without Node.
  return path.join(folder, [name, place, version, arch, versions['tz']].join('-'));
}

function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  const user = process.getuid?.();
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}
