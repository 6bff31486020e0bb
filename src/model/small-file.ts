/** Reads small files whole: mappings, schemas, plans, keys, certificates, cursors. */
import { closeSync, createReadStream, openSync, readSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Limit far above any such file, because pipes and special files may never end. */
const MAX_SMALL_FILE_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

/** A refusal by docferry, as opposed to an error of the system. */
class FileRefused extends Error {}

/**
 * Reads a small file or pipe to its end.
 * @throws the system's error, or a refusal; {@link unreadableReason} words either
 */
export async function readSmallFile(file: string): Promise<Buffer> {
  refuseDevice(await stat(file));
  const gathered = new Gathered();
  for await (const piece of createReadStream(file)) gathered.add(piece);
  return gathered.whole();
}

/**
 * {@link readSmallFile} as text.
 * @param refusal builds the error from the words that follow the file's name
 */
export async function readSmallText(
  file: string,
  refusal: (reason: string, missing: boolean) => Error,
): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readSmallFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refusal(`can't be read (${unreadableReason(error)})`, code === 'ENOENT');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal('is not UTF-8; save it with that encoding', false);
  }
}

/** Synchronous {@link readSmallFile} as text, for files needed at startup. */
export function readSmallTextSync(file: string): string {
  refuseDevice(statSync(file));
  const descriptor = openSync(file, 'r');
  try {
    const gathered = new Gathered();
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const bytesRead = readSync(descriptor, piece);
      if (bytesRead === 0) return gathered.whole().toString('utf8');
      gathered.add(piece.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Whether it is a device, for example a terminal or `/dev/zero`. */
export function isDevice(stats: Stats): boolean {
  return stats.isCharacterDevice() || stats.isBlockDevice();
}

/** Reason for a message, in brackets: the system's code, or a few words. */
export function unreadableReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

function refuseDevice(stats: Stats): void {
  if (isDevice(stats)) throw new FileRefused('it is a device; name a file');
}

class Gathered {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > MAX_SMALL_FILE_BYTES) throw new FileRefused('it is larger than 4 MiB');
    this.#pieces.push(piece);
  }

  whole(): Buffer {
    return Buffer.concat(this.#pieces, this.#bytes);
  }
}
