/** Made by the zstd command at level 19: the columns `id` and `text`, and forty rows. */
export const BY_ZSTD: Buffer = Buffer.from(
  'KLUv/WR9A+UEAPIKHBeAS9pAQouCcVhIY3BOIrt3SkXQNy4qHVRU5ub5PB5/v9vt9fr/+37f0+nGxuk0Gn0+m83l8n3bdl2Tyaam2SwWe71ardXq+7pu21KpxmQi3plV/TYyQCAIRRFwlJbEERgYh+I4hcYBJEUWj7NIBoVOqBHQ+P0/A/ClAxBWxJgPxGRTy8jLlMqVlpEoSD9rqTimmNIUA7qXVbTGdFE=',
  'base64',
);

/** A zstd frame without a checksum, whose blocks are the bytes as they are. */
export function frame(
  ...blocks: readonly (string | { readonly of: string; readonly times: number })[]
): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38]);
  const parts = blocks.map((block, index) => {
    const last = index === blocks.length - 1 ? 1 : 0;
    const repeated = typeof block !== 'string';
    const length = repeated ? block.times : Buffer.byteLength(block);
    const header = Buffer.alloc(3);
    header.writeUIntLE((length << 3) | (repeated ? 2 : 0) | last, 0, 3);
    return Buffer.concat([header, Buffer.from(repeated ? block.of : block)]);
  });
  return Buffer.concat([head, ...parts]);
}
