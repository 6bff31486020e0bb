// Runs command lines one after another in this process, for docferryEach of run-cli.ts: first those
// of one call, then those of the next, until nobody asks any more.
const [node, , program, door] = process.argv;
const { runCommandLine } = await import(door);
const home = process.cwd();

process.on('message', async ({ lines, folders, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  for (const [at, args] of lines.entries()) {
    process.chdir(folders[at] ?? folders[0]);
    process.argv = [node, program, ...args];
    process.exitCode = 0;
    await runCommandLine(args);
    process.stdout.write('\f');
    process.stderr.write(`\f${process.exitCode}\f`);
  }
  process.exitCode = 0;
  // The folder is the test's, which removes it.
  process.chdir(home);
});
process.once('disconnect', () => process.exit());
