import { formatOf } from '../../formats/formats.js';
import { mappingColumns } from '../../mapping/mapping-columns.js';
import { MappingError } from '../../model/errors.js';
import type { Source } from '../../model/source.js';
import { compileTransformRecord, type TransformPlan } from '../../transform/transform-record.js';

/**
 * Makes sure, before anything is sent, that a source has the columns that the mapping names. If
 * there is only one column where several are needed, the delimiter is wrong, and that is said
 * instead.
 * @throws MappingError
 */
export function checkColumns(source: Source, plan: TransformPlan): void {
  const { layout } = source;
  const { columns, dialect } = layout;
  if (dialect !== undefined && columns?.length === 1) {
    const missing = mappingColumns(plan.mapping).filter((name) => !columns.includes(name));
    if (missing.length > 1) explainDelimiter(source, dialect.delimiter, missing);
  }
  try {
    compileTransformRecord(layout, plan, () => []);
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw new MappingError(`${source.name}: ${error.message}`);
  }
}

function explainDelimiter(source: Source, delimiter: string, missing: readonly string[]): void {
  const better = formatOf(source.layout).betterDelimiter?.(source.layout);
  if (better === undefined) return;
  throw new MappingError(
    `${source.name}: split at ${JSON.stringify(delimiter)} it has one column, and the mapping needs ${missing.length} others, such as "${missing[0]}". Split at ${JSON.stringify(better.delimiter)} it has ${better.columns.length}: set the delimiter to that.`,
  );
}
