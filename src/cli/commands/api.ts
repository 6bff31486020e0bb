import { buffer } from 'node:stream/consumers';
import type { PathCall, PathCalls } from '../../api/call-by-path.js';
import { OptionError } from '../../model/errors.js';
import { argument, option } from '../../model/options.js';
import { readSmallFile, unreadableReason } from '../../model/small-file.js';
import { isOneOf } from '../../service/codes.js';
import { type Command, defineCommand } from '../command.js';
import { SERVICE_OPTIONS, withConnection } from '../options/connection.js';
import { jsonText, log, print, printFlushed } from '../print.js';
import { EXIT_INTERRUPTED, untilInterrupted } from '../runs/interruption.js';

const METHODS = ['GET', 'POST', 'DELETE'] as const;

export const API: Command = defineCommand({
  usage: 'api [METHOD] PATH',
  describe: 'Call the service and print its answer as JSON',
  positionals: {
    path: argument('Path below the base URL. The method defaults to GET, or to POST with --input', {
      repeatable: true,
    }),
  },
  options: {
    field: option.text('field', 'key=value: a parameter, or a text in a JSON body', {
      short: 'f',
      repeatable: true,
    }),
    input: option.text('input', 'File with the body; - for stdin', { file: 'read' }),
    paginate: option.boolean('paginate', 'Print the items of all pages as JSON Lines'),
    ...SERVICE_OPTIONS,
  },
  conflicts: [
    ['input', 'field'],
    ['input', 'paginate'],
  ],
  examples: [
    'api /monitorings',
    "api POST /monitorings/1/title -f title='Our hotels'",
    'api POST /documents/feed -f monitorings=1 --paginate > feed.jsonl',
  ],
  run: async ({ path: words, field = [], input, paginate, ...service }) => {
    const { openPathCalls } = await import('../../api/call-by-path.js');
    const parsed = parseCall(words, field, input);
    const body = input === undefined ? undefined : await readBodyFile(input);
    return await withConnection(service, async (connection) => {
      const calls = openPathCalls(connection);
      try {
        return await (paginate ? printPages : printAnswer)(calls, { ...parsed, body });
      } finally {
        await calls.close();
      }
    });
  },
});

/** @throws OptionError */
function parseCall(
  words: readonly string[],
  fields: readonly string[],
  input: string | undefined,
): PathCall {
  const [written = '', ...more] = words.toReversed();
  const [given = input === undefined ? 'GET' : 'POST', ...extra] = more;
  const method = given.toUpperCase();
  const isPathMissing = isOneOf(METHODS, written.toUpperCase());
  if (!isOneOf(METHODS, method) || isPathMissing || extra.length > 0) {
    throw new OptionError(
      `The call is "${words.join(' ')}"; expected a path, or ${METHODS.join(', ')} and a path.`,
    );
  }
  if (input !== undefined && method !== 'POST') {
    throw new OptionError(`--input is for POST: a ${method} takes --field key=value (-f) instead.`);
  }
  const [path = '', query = ''] = written.split(/\?(.*)/s);
  if (!/^[\w/,-]+$/.test(path)) {
    throw new OptionError(
      `The path is "${path}"; expected one below the base URL, for example /monitorings/1.`,
    );
  }
  const parameters = new URLSearchParams(query);
  for (const field of fields) addField(parameters, field);
  return { method, path: path.startsWith('/') ? path : `/${path}`, fields: parameters };
}

/** @throws OptionError */
function addField(parameters: URLSearchParams, field: string): void {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(field) ?? [];
  if (name === undefined) {
    throw new OptionError(`--field is "${field}"; expected key=value, for example monitorings=1.`);
  }
  if (parameters.has(name)) {
    throw new OptionError(`--field ${name} is given twice: put commas between several values.`);
  }
  parameters.set(name, value);
}

/** @throws OptionError */
async function readBodyFile(file: string): Promise<Uint8Array> {
  if (file === '-') return await buffer(process.stdin);
  try {
    return readSmallFile(file);
  } catch (error) {
    throw new OptionError(`--input ${file} can't be read (${unreadableReason(error)}).`);
  }
}

async function printAnswer(calls: PathCalls, call: PathCall): Promise<number> {
  print(jsonText(await calls.send(call)));
  return 0;
}

/** Prints items page by page, and at the end, even an early one, where a feed continues. */
async function printPages(calls: PathCalls, call: PathCall): Promise<number> {
  const { signal, dispose } = untilInterrupted();
  let cursor: string | undefined;
  try {
    for await (const { items, nextCursor } of calls.pages(call, { signal })) {
      if (!(await printFlushed(items.map((item) => JSON.stringify(item))))) break;
      cursor = nextCursor;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    dispose();
    if (cursor !== undefined) log(`To continue after these documents: -f cursor=${cursor}`);
  }
  return signal.aborted ? EXIT_INTERRUPTED : 0;
}
