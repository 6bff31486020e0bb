/** How a user calls this program. */

/** Returns what to type to call docferry: npm names its command to the programs that it starts. */
export function programName(): string {
  return process.env['npm_command'] ? 'npx docferry' : 'docferry';
}

/** Commands that messages name, and the quoted values in them, which stay as they are. */
const NAMED =
  /"(?:[^"\\\n]|\\.)*"|(?<=^|[\s`(])(?<!npx )docferry(?=\s+(?:guess|import|jobs|mapping|preview|report|runs|sandbox|studio|validate|verify)\b)/gm;

/** Names commands as a user types them: messages know only `docferry`. */
export function withProgramName(text: string): string {
  return text.replaceAll(NAMED, (found) => (found.startsWith('"') ? found : programName()));
}
