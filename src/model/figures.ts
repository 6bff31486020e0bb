const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1,234,567` */
export function thousands(number: number): string {
  // Same as `toLocaleString`, whose first call takes 3 ms.
  return String(Math.round(number)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `4.5`, `1,235`: four significant digits at most. */
export function roughly(number: number): string {
  const whole = String(number);
  // Fast path: the first call of `toLocaleString` takes 4 ms.
  if (/^-?\d{1,3}(?:\.\d+)?$/.test(whole) && Number(number.toPrecision(4)) === number) return whole;
  return number.toLocaleString('en-US', { maximumSignificantDigits: 4 });
}

/** `1 record`, `2 records`: the noun's plural ends in s. */
export function count(number: number, noun: string): string {
  return `${thousands(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Formats a share as `12%`, or with decimals as `1.8%` and `0.085%`. 0% and 100% are exact: none and all. */
export function percent(part: number, whole: number, decimals = 0): string {
  if (whole === 0) return '–';
  const share = (part * 100) / whole;
  if (share === 0 || share >= 100) return `${share === 0 ? 0 : 100}%`;
  const least = 10 ** -decimals;
  if (share >= 1) return `${Number(Math.min(100 - least, share).toFixed(decimals))}%`;
  return decimals === 0 ? '< 1%' : `${Number(share.toPrecision(2))}%`;
}

/** `812 B`, `4.5 MB`: units of a thousand, one decimal below ten. */
export function byteSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // A value that rounds to 1,000 is shown in the next unit.
  while (Math.round(size) >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && size < 9.95 ? size.toFixed(1) : thousands(size);
  return `${digits} ${UNITS[unit]}`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min` */
export function duration(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${thousands(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}
