import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A zip archive of files by name; `store` leaves them as they are. */
export async function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  { store = false }: { readonly store?: boolean } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), name, { compress: !store });
  }
  zip.end();
  return await buffer(zip.outputStream);
}

/** The same archive, with other bytes of the same length wherever a text stands in it. */
export function patched(archive: Buffer, from: string, to: string): Buffer {
  return Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
}
