/** How a user calls this program. */

/** Returns what to type to call docferry: npm names its command to the programs that it starts. */
export function programName(): string {
  return process.env['npm_command'] ? 'npx docferry' : 'docferry';
}

/** Renders commands as a user types them: in messages, they stand in backticks and begin with `docferry`. */
export function withProgramName(text: string): string {
  return text.replaceAll('`docferry ', `\`${programName()} `);
}
