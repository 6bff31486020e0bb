import { isDeepStrictEqual } from 'node:util';
import type { Mapping } from '../../mapping/mapping.js';
import { flowYaml, locationText } from '../../mapping/mapping-text.js';
import { MappingError } from '../../model/errors.js';
import { count } from '../../model/figures.js';
import { countStates } from '../../model/record-ranges.js';
import { type RunDescription, sharedExport } from '../../runs/description.js';
import type { RunStore, StoredDescription } from '../../runs/store.js';
import { ifStored } from '../../runs/stored-run.js';
import type { ImportOptions } from '../options.js';

interface CheckedRun {
  readonly options: Pick<ImportOptions, 'ledger' | 'skipKnown' | 'state'>;
  readonly mapping: Mapping;
}

/** Returns whether a run leaves out what earlier ones imported. */
export function skipsKnown({ ledger = true, skipKnown = true }: CheckedRun['options']): boolean {
  return ledger && skipKnown;
}

/**
 * Checks that no file was imported before under other sourceIds: the ledger wouldn't recognise its
 * documents, and all of them would be sent a second time.
 * @throws MappingError with the earlier run and its rule
 */
export async function checkIdRule(
  store: RunStore,
  now: RunDescription,
  { options, mapping }: CheckedRun,
): Promise<void> {
  if (!skipsKnown(options)) return;
  const { sourceId } = now.mapping;
  const isOfFiles = now.inputs.some(({ path }) => path !== null);
  if (sourceId === null || !isOfFiles) return;
  const earlier = (await store.descriptions(now.target)).filter(
    ({ description }) => sharedExport(now, description) !== undefined,
  );
  const isRule = ({ description }: StoredDescription): boolean =>
    isDeepStrictEqual(description.mapping.sourceId, JSON.parse(JSON.stringify(sourceId)));
  // The rule was changed on purpose.
  if (earlier.some(isRule)) return;
  for (const one of earlier.toReversed()) {
    const sent = one.description.mapping.sourceId == null ? 0 : await countSent(store, one.id);
    if (sent > 0) throw new MappingError(messageOf(one, sent, { now, options, mapping }));
  }
}

/** Counts the documents of a run that the service has, or may have. */
async function countSent(store: RunStore, id: string): Promise<number> {
  const states = await ifStored(store, id, async () => {
    return countStates(await (await store.openReadOnly(id)).states());
  });
  return states === undefined ? 0 : states.accepted + states.sending + states.unknown;
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
