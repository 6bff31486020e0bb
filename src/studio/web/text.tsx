/** How the page writes values, names and numbers. */
import { printable } from '../../model/text.js';

/** Renders an untrusted value: isolated from the page's text direction, with control characters escaped. */
export function untrusted(value: unknown) {
  if (value === null || value === undefined) return <span class="none">none</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return <span class="none">empty</span>;
  return <bdi>{text.split('\n').map(printable).join('\n')}</bdi>;
}

/** Renders a field's name so that it can wrap between its words: `detected`, `Locations`, `.city`. */
export function fieldName(name: string) {
  return (
    <bdi>
      {printable(name)
        .split(/(?=\.)|(?<=[a-z])(?=[A-Z])/u)
        .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))}
    </bdi>
  );
}

/** Formats a number: `2,000`. */
export function figure(number: number): string {
  return number.toLocaleString('en-US');
}

/** Formats a number of things: `1 record`, `2,000 records`. */
export function counted(number: number, one: string): string {
  return `${figure(number)} ${one}${number === 1 ? '' : 's'}`;
}
