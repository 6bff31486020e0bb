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
