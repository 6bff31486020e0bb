// Runs command lines one after another in this process, for docferryEach of run-cli.ts.
const [node, , program, door, lines, folders] = process.argv;
const { runCommandLine } = await import(door);
for (const [at, args] of JSON.parse(lines).entries()) {
  process.chdir(JSON.parse(folders)[at] ?? '.');
  process.argv = [node, program, ...args];
  process.exitCode = 0;
  await runCommandLine(args);
  process.stdout.write('\f');
  process.stderr.write(`\f${process.exitCode}\f`);
}
process.exitCode = 0;
