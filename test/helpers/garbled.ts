import iconv from 'iconv-lite';

/** Damages text as programs do that take UTF-8 for windows-1252; the bytes that it lacks stay. */
export function asWindows1252(text: string): string {
  return [...Buffer.from(text)].map(windowsCharacter).join('');
}

function windowsCharacter(byte: number): string {
  const found = iconv.decode(Buffer.of(byte), 'windows-1252');
  return found === '\ufffd' ? String.fromCharCode(byte) : found;
}

export function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
