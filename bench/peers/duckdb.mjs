// Copies the columns of the export to JSON with DuckDB, on two threads:
// `node bench/peers/duckdb.mjs reviews.csv copy.json`. No type check: DuckDB is installed only where
// peers are measured.
import { DuckDBInstance } from '@duckdb/node-api';

const [from, to] = process.argv.slice(2);
const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await instance.connect();
const { rowsChanged } = await connection.run(
  `COPY (SELECT id, date, guest, language, city, rating, text FROM read_csv(${quoted(from)}))
   TO ${quoted(to)} (FORMAT json)`,
);
console.log(JSON.stringify({ valid: Number(rowsChanged), invalid: 0 }));

function quoted(text) {
  return `'${text.replaceAll("'", "''")}'`;
}
