/** A value from outside as an error shows it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 60);
  return Array.isArray(value) ? 'a list' : 'an object';
}
