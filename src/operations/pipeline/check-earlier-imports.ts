import type { Mapping } from '../../mapping/mapping.js';
import { flowYaml, locationText } from '../../mapping/mapping-text.js';
import { MappingError } from '../../model/errors.js';
import { count } from '../../model/figures.js';
import { countStates } from '../../model/record-ranges.js';
import { isSameRule, type RunDescription, sharedExport } from '../../runs/description.js';
import { ifStored } from '../../runs/find-run.js';
import { type RunStore, type StoredDescription, shardOf } from '../../runs/store.js';
import type { ImportOptions } from '../options.js';

interface CheckedRun {
  readonly options: Pick<ImportOptions, 'skipKnown' | 'state'>;
  readonly mapping: Mapping;
}

/**
 * Looks at what the store knows of a run's inputs before it begins.
 * @param own id of the run itself if it is stored already, so that it isn't compared with itself
 * @returns a warning, if there is reason for one
 * @throws MappingError as `checkIdRule` does
 */
export async function checkEarlierImports(
  store: RunStore,
  now: RunDescription,
  checked: CheckedRun,
  own?: string,
): Promise<string | undefined> {
  const isOfFiles = now.inputs.some(({ path }) => path !== null);
  if (checked.options.skipKnown === false || !isOfFiles) return undefined;
  const all = await store.descriptions(now.target.monitoring);
  const known = all.filter(({ id }) => id !== own);
  await checkIdRule(store, now, known, checked);
  return await otherAddressNotice(store, now, known);
}

/**
 * Checks that no file was imported before under other sourceIds: the ledger wouldn't recognise its
 * documents, and all of them would be sent a second time.
 * @throws MappingError with the earlier run and its rule
 */
async function checkIdRule(
  store: RunStore,
  now: RunDescription,
  known: readonly StoredDescription[],
  { options, mapping }: CheckedRun,
): Promise<void> {
  const { sourceId } = now.mapping;
  if (sourceId === null) return;
  const earlier = known.filter(
    ({ description }) =>
      description.target.service === now.target.service &&
      sharedExport(now, description) !== undefined,
  );
  const isRule = ({ description }: StoredDescription): boolean =>
    isSameRule(description.mapping.sourceId, sourceId);
  // The rule was changed on purpose.
  if (earlier.some(isRule)) return;
  for (const one of earlier.toReversed()) {
    const sent = one.description.mapping.sourceId == null ? 0 : await countSent(store, one.id);
    if (sent > 0) throw new MappingError(messageOf(one, sent, { now, options, mapping }));
  }
}

/**
 * Warns of inputs that were last imported into a monitoring of this number under another address: it
 * may be the same service, of which the ledger knows nothing under this one. Services that the
 * caller named are as different as their names.
 * @param known runs into monitorings of this number, the latest last
 */
async function otherAddressNotice(
  store: RunStore,
  now: RunDescription,
  known: readonly StoredDescription[],
): Promise<string | undefined> {
  const { service, monitoring } = now.target;
  if (!URL.canParse(service)) return undefined;
  const earlier = known.filter(({ description }) => sharedName(now, description) !== undefined);
  for (const { id, description } of earlier.toReversed()) {
    const { service: before } = description.target;
    if (before === service) return undefined;
    if (!URL.canParse(before) || (await countSent(store, id)) === 0) continue;
    return `${sharedName(now, description)} was imported into monitoring ${monitoring} before at another address, ${before} (run ${id}), and goes to ${service} now. If both are one service, this import puts its documents there a second time: stop it, and always give the same address (--base-url, baseUrl).`;
  }
  return undefined;
}

/** Finds an input that both runs read, perhaps with other content by now. */
function sharedName(now: RunDescription, earlier: RunDescription): string | undefined {
  const paths = new Set(earlier.inputs.map(({ path }) => path));
  const same = now.inputs.find(({ path }) => path !== null && paths.has(path));
  return (same ?? sharedExport(now, earlier))?.name;
}

/** Counts the documents of an import, perhaps in shards, that the service has or may have. */
async function countSent(store: RunStore, id: string): Promise<number> {
  const shards = (await store.list()).filter((run) => shardOf(run)?.key === id);
  let sent = 0;
  for (const run of shards.length === 0 ? [id] : shards) sent += await countSentBy(store, run);
  return sent;
}

async function countSentBy(store: RunStore, id: string): Promise<number> {
  const sent = await ifStored(store, id, async () => {
    const journal = await store.openReadOnly(id);
    const { accepted, sending, unknown } = countStates(await journal.states());
    // Those that an import before it had sent are only in its report.
    const { report } = await journal.facts();
    return accepted + sending + unknown + (report?.counts?.duplicate ?? 0);
  });
  return sent ?? 0;
}

function messageOf(
  { id, description }: StoredDescription,
  sent: number,
  { now, options, mapping }: CheckedRun & { readonly now: RunDescription },
): string {
  const { name = '' } = sharedExport(now, description) ?? {};
  const day = new Date(description.started).toLocaleDateString('en-GB', { dateStyle: 'long' });
  const [before, rule] = [description, now].map((one) => ruleText(one.mapping.sourceId));
  return [
    `${name} was imported into monitoring ${now.target.monitoring} before, with another rule for sourceId: under other ids, its documents would be there a second time. Nothing was sent.`,
    `Run ${id} of ${day} (${count(sent, 'document')}): ${before}`,
    `${locationText(mapping, ['document', 'sourceId'])}: ${rule}`,
    `Put the earlier rule back, and what is there is skipped. To have each document there twice, ${options.state === undefined ? ANYWAY : FORGET}.`,
  ].join('\n');
}

const ANYWAY = 'import with --no-skip-known (skipKnown: false)';
/** On a shared state, other runs wouldn't recognise what a run with `skipKnown: false` sent. */
const FORGET = 'remove that run first: `docferry runs prune --older-than 0` removes finished ones';

function ruleText(sourceId: unknown): string {
  return `sourceId: ${flowYaml(sourceId)}`;
}
