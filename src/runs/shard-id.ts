/** A shard of a group, numbered from 1. */
export interface ShardId {
  readonly key: string;
  readonly index: number;
}

/** Makes the id of a shard's run, for example `nightly-1129/3`. */
export function shardId({ key, index }: ShardId): string {
  return `${key}/${index}`;
}

/** Parses the id of a shard's run; `undefined` for any other run. */
export function shardOf(id: string): ShardId | undefined {
  const at = id.lastIndexOf('/');
  return at < 0 ? undefined : { key: id.slice(0, at), index: Number(id.slice(at + 1)) };
}
