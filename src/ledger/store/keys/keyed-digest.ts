import { hash, type KeyObject } from "node:crypto";

/** Bytes of a block of SHA-256, to which HMAC pads its key. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Length of the texts for which no buffer is allocated, in UTF-16 units. */
const SHORT_TEXT = 1_024;
const UTF8_BYTES_MAX = 3;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * Returns a function that computes HMAC-SHA-256 of a text. Two calls of `hash` instead of a Hmac
 * object: 0.9 instead of 2.3 µs (measured), because Node creates an object in C++ for the latter.
 *
 * @param key at most 64 bytes, as many as a block.
 */
export function keyedDigest(key: KeyObject): (text: string) => Buffer {
  const secret = key.export();
  if (secret.length > BLOCK_BYTES) throw new Error("the key of a digest has at most 64 bytes");
  const inner = padded(secret, INNER_PAD, SHORT_TEXT * UTF8_BYTES_MAX);
  const outer = padded(secret, OUTER_PAD, DIGEST_BYTES);
  return (text) => {
    outer.write(hash("sha256", withText(inner, text), "binary"), BLOCK_BYTES, "latin1");
    return Buffer.from(hash("sha256", outer, "binary"), "latin1");
  };
}

/** Returns the padded key, followed by room for a text. */
function padded(secret: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES + room);
  for (let at = 0; at < BLOCK_BYTES; at += 1) bytes[at] = (secret[at] ?? 0) ^ pad;
  return bytes;
}

function withText(inner: Buffer, text: string): Buffer {
  if (text.length > SHORT_TEXT)
    return Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(text)]);
  return inner.subarray(0, BLOCK_BYTES + inner.write(text, BLOCK_BYTES));
}
