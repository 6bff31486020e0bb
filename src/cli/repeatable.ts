/** The options that may be given several times. yargs makes a list of them only from the second on. */
export const REPEATABLE: readonly string[] = ['search', 'parameter'];

/** Such an option as a list. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
