import { createRequire } from 'node:module';

const nodeRequire = createRequire(import.meta.url);

/** Only a repeated group with repetition in it takes exponential time. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d)/;

/**
 * Returns what is wrong with a regular expression whose time may double with each character of a
 * text, as that of `(a+)+$` does on `aaaa!`: nothing can interrupt it. Others may still take time
 * that grows with the square of a text's length.
 * @param source of a valid expression with the flag `u`
 */
export function exponentialPattern(source: string): string | undefined {
  if (!REPEATED_GROUP.test(source)) return undefined;
  const part = exponentialPart(source);
  if (part === undefined) return undefined;
  return `the expression ${JSON.stringify(source)} can take practically forever on some texts, because ${part}; rewrite it so that there is only one way to match a text, for example a+ instead of (a+)+`;
}

function exponentialPart(source: string): string | undefined {
  // Loaded on demand: few mappings have such expressions.
  const { analyse } = nodeRequire('scslre') as typeof import('scslre');
  const { reports } = analyse({ source, flags: 'u' }, { reportTypes: { Move: false } });
  const found = reports.find(({ exponential }) => exponential);
  if (found?.type === 'Self')
    return `${found.parentQuant.raw} can match the same text in many ways`;
  if (found?.type !== 'Trade') return undefined;
  return `${found.startQuant.raw} and ${found.endQuant.raw} can match the same text`;
}
