export function detectLanguage(_text: string): string | undefined {
  return undefined;
}
