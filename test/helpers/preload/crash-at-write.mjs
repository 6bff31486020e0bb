/**
 * Loaded before docferry (`node --import`): ends the process as a crash would, before or after the
 * nth durable write of its journal and its databases. CRASH_AT says where: `before 3`, `after 3`.
 */
import { open } from 'node:fs/promises';
import Database from 'libsql';
import pg from 'pg';

const [side, at] = (process.env['CRASH_AT'] ?? '').split(' ');
const CHANGES = /^\s*(?:INSERT|DELETE|UPDATE|REPLACE)\b/i;
let writes = 0;

function crashIf(when) {
  if (side === when && writes === Number(at)) crash();
}

function crash() {
  process.kill(process.pid, 'SIGKILL');
}

// Lines of the journal, and that they are on the disk.
const someFile = await open(process.execPath);
const FileHandle = Object.getPrototypeOf(someFile);
await someFile.close();
for (const name of ['appendFile', 'datasync']) {
  const call = FileHandle[name];
  FileHandle[name] = async function (...values) {
    writes += 1;
    const number = writes;
    if (side === 'before' && number === Number(at)) crash();
    const result = await call.apply(this, values);
    if (side === 'after' && number === Number(at)) crash();
    return result;
  };
}

const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  const isCommit = sql.trim() === 'COMMIT';
  if (!isCommit && !CHANGES.test(sql)) return statement;
  const run = statement.run.bind(statement);
  statement.run = (...values) => {
    // Within a transaction nothing is durable before its end.
    if (!isCommit && this.inTransaction) return run(...values);
    writes += 1;
    crashIf('before');
    const result = run(...values);
    crashIf('after');
    return result;
  };
  return statement;
};

// How often a process says that it is there, and how far it is, depends on how long it takes.
const REGULAR = /SET seen|SET counts/;
/** Those in a transaction, and whether anything was changed in it. */
const inTransaction = new WeakMap();
const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (sql, ...rest) {
  const isDurable = isDurableWrite(this, sql);
  if (!isDurable) return query.call(this, sql, ...rest);
  writes += 1;
  crashIf('before');
  const crashAfter = writes === Number(at) && side === 'after';
  const told = query.call(this, sql, ...withCallback(rest, crashAfter));
  return crashAfter && told?.then ? told.then(crash) : told;
};

function isDurableWrite(client, sql) {
  if (typeof sql !== 'string') return false;
  const text = sql.trim();
  const changes = (CHANGES.test(text) || text.includes('docferry.write(')) && !REGULAR.test(text);
  const changed = inTransaction.get(client);
  if (text === 'BEGIN') inTransaction.set(client, false);
  if (text === 'COMMIT' || text === 'ROLLBACK') inTransaction.delete(client);
  if (changed === undefined) return changes;
  if (changes) inTransaction.set(client, true);
  return changed && text === 'COMMIT';
}

/** A pool asks with a callback. */
function withCallback(rest, crashAfter) {
  if (!crashAfter || typeof rest.at(-1) !== 'function') return rest;
  return [...rest.slice(0, -1), crash];
}
