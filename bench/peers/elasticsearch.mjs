// Sends the export to an Elasticsearch with the bulk helper of its client, as the client's users
// would: `node bench/peers/elasticsearch.mjs reviews.csv http://127.0.0.1:9200`. No type check: the
// client is installed only where peers are measured.
import { createReadStream } from 'node:fs';
import { Client } from '@elastic/elasticsearch';
import { parse } from 'csv-parse';
import { mapReview } from './map-review.js';

const [file, node] = process.argv.slice(2);
const client = new Client({ node });
const downloaded = new Date().toISOString();

const { successful, failed } = await client.helpers.bulk({
  datasource: documents(),
  onDocument: (document) => ({ index: { _index: 'reviews', _id: document.sourceId } }),
});
await client.close();
console.log(JSON.stringify({ valid: successful, invalid: failed }));

async function* documents() {
  for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
    yield mapReview(row, downloaded);
  }
}
