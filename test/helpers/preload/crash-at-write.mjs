/**
 * Loaded before docferry (`node --import`): ends the process as a crash would, before or after the
 * nth durable write of its databases. CRASH_AT says where: `before 3`, `after 3`.
 */
import Database from 'libsql';

const [side, at] = (process.env['CRASH_AT'] ?? '').split(' ');
const CHANGES = /^\s*(?:INSERT|DELETE|UPDATE|REPLACE)\b/i;
const prepare = Database.prototype.prepare;
let writes = 0;

Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  const isCommit = sql.trim() === 'COMMIT';
  if (!isCommit && !CHANGES.test(sql)) return statement;
  const run = statement.run.bind(statement);
  statement.run = (...values) => {
    // Within a transaction nothing is durable before its end.
    if (!isCommit && this.inTransaction) return run(...values);
    writes += 1;
    if (side === 'before' && writes === Number(at)) process.kill(process.pid, 'SIGKILL');
    const result = run(...values);
    if (side === 'after' && writes === Number(at)) process.kill(process.pid, 'SIGKILL');
    return result;
  };
  return statement;
};
