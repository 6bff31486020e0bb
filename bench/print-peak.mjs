// @ts-check
// Loaded with `node --import` before a command: prints the process's peak memory when it ends.
process.on('exit', () => {
  const mebibytes = process.resourceUsage().maxRSS / 1024;
  process.stderr.write(`peak memory ${mebibytes.toFixed(0)} MiB\n`);
});
