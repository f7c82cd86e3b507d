import { createHash } from "node:crypto";
import { type Decoder, decoderFor, type Encoding } from "#intake/text/csv-encoding.ts";
import type { FileLimits } from "#intake/text/file-limits.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { countLines, lastBoundary } from "#intake/text/records.ts";

/**
 * Block size for reading, about 600 rows. Blocks of 256 kB were a sixth slower and took 60 MB more.
 */
const BLOCK_BYTES = 64 * 1024;

/** Reads a file's bytes as UTF-8 in chunks that end between two records. */
export interface ChunkReader {
  /** The encoding detected so far. The first non-ASCII byte may still decide it (encoding.ts). */
  readonly encoding: Encoding;
  /** Returns the next chunk, the end of the file, or the reason why reading cannot continue. */
  next(): Promise<ChunkResult>;
  /**
   * SHA-256 in hex of the bytes read so far, which is that of the whole file once it is at its end.
   */
  digest(): string;
}

type ChunkResult =
  | { readonly kind: "chunk"; readonly bytes: Buffer }
  | { readonly kind: "end" }
  | { readonly kind: "broken"; readonly problem: Problem };

/**
 * Reads a file of any size with the memory of a few blocks. The same bytes give the same chunks,
 * however they arrive.
 */
export function readChunks(source: AsyncIterable<Uint8Array>, limits: FileLimits): ChunkReader {
  const blocks = blocksOf(source);
  const hash = createHash("sha256");
  let decoder: Decoder | null = null;
  let carry: Buffer = Buffer.alloc(0);
  let line = 1;
  let bytesRead = 0;
  let ended = false;

  const broken = (cause: Problem): ChunkResult => {
    ended = true;
    return { kind: "broken", problem: cause };
  };

  return {
    get encoding() {
      return decoder?.encoding ?? "UTF-8";
    },
    digest: () => hash.copy().digest("hex"),
    async next() {
      while (!ended) {
        const { value: block } = await blocks.next();
        if (!block) break;
        hash.update(block.bytes);
        bytesRead += block.bytes.length;
        if (bytesRead > limits.bytesMax) {
          return broken(problem("file_too_large", {}, { limit: limits.bytesMax }));
        }
        if (!decoder) {
          const made = decoderFor(block.bytes);
          if (!made.ok) return broken(made.error);
          decoder = made.value;
        }
        const decoded = decoder.decode(block.bytes, block.last);
        if (!decoded.ok) return broken(decoded.error);

        const bytes = carry.length > 0 ? Buffer.concat([carry, decoded.value]) : decoded.value;
        ended = block.last;
        const { end, openQuote } = block.last
          ? { end: bytes.length, openQuote: -1 }
          : lastBoundary(bytes);
        const chunk = bytes.subarray(0, end);
        line += countLines(chunk);
        carry = bytes.subarray(end);
        if (carry.length > limits.recordBytesMax)
          return broken(tooLarge(carry, openQuote - end, line, limits));
        if (chunk.length > 0) return { kind: "chunk", bytes: chunk };
      }
      ended = true;
      return { kind: "end" };
    },
  };
}

/**
 * Returns the problem of a record that is too large. If it contains an unclosed quote, that is the
 * cause.
 */
function tooLarge(record: Buffer, openQuote: number, line: number, limits: FileLimits): Problem {
  if (openQuote < 0) return problem("record_too_large", { line }, { limit: limits.recordBytesMax });
  return problem("quote_unbalanced", { line: line + countLines(record.subarray(0, openQuote)) });
}

/**
 * Re-chunks the source into blocks of one size, so the problems found do not depend on how the file
 * arrived.
 */
async function* blocksOf(source: AsyncIterable<Uint8Array>) {
  let block = Buffer.allocUnsafe(BLOCK_BYTES);
  let filled = 0;
  for await (const piece of source) {
    let taken = 0;
    while (taken < piece.length) {
      // A full block is emitted only once more bytes follow, so the last block is recognised as the
      // last.
      if (filled === BLOCK_BYTES) {
        yield { bytes: block, last: false };
        block = Buffer.allocUnsafe(BLOCK_BYTES);
        filled = 0;
      }
      const length = Math.min(BLOCK_BYTES - filled, piece.length - taken);
      block.set(piece.subarray(taken, taken + length), filled);
      filled += length;
      taken += length;
    }
  }
  yield { bytes: block.subarray(0, filled), last: true };
}
