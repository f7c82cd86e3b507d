import { createHash } from "node:crypto";

/** A line of the audit log with its hash, in the form in which the tree covers it. */
export interface TreeLine {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  /** The exact text of the facts. */
  readonly facts: string;
  readonly key: number;
  /** The hash of the chain, in hexadecimal. */
  readonly hash: string;
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/**
 * Returns the digest that represents the facts of a line in its leaf. The hash of the chain, which
 * only holders of PAYRUN_KEY can compute, prevents others from guessing hidden facts.
 */
export const factsDigest = ({ hash, facts }: Pick<TreeLine, "hash" | "facts">): string =>
  sha256(hash, facts).toString("hex");

/** Returns the leaf of a line, given the digest of its facts. */
export const leafOf = (
  { seq, at, actor, action, object, key }: Omit<TreeLine, "facts" | "hash">,
  facts: string,
): Buffer => sha256(Buffer.of(0), JSON.stringify([seq, at, actor, action, object, key, facts]));

/** Returns the leaf of a line as a block of one line. */
export const treeLeaf = (line: TreeLine): Block => ({
  from: line.seq,
  to: line.seq,
  digest: leafOf(line, factsDigest(line)),
});

const nodeOf = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** The digest of the complete subtree over the lines `from` to `to`. */
export interface Block {
  readonly from: number;
  readonly to: number;
  readonly digest: Buffer;
}

/**
 * A Merkle tree over consecutive lines of the audit log, hashed as in RFC 6962. It keeps only the
 * complete subtrees that are not part of a larger one yet, at most two per level.
 */
export class LogTree {
  readonly #blocks: Block[] = [];

  /** The complete subtrees, in the order of their lines. */
  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  /** Number of the last line. */
  get lines(): number {
    return this.#blocks.at(-1)?.to ?? 0;
  }

  /** Adds the leaf of a line, or the digest of the subtree over the next lines. */
  add(block: Block): void {
    let last = block;
    for (;;) {
      const before = this.#blocks.at(-1);
      const size = last.to - last.from + 1;
      const isPair =
        before && before.to - before.from + 1 === size && (before.from - 1) % (2 * size) === 0;
      if (!isPair) break;
      this.#blocks.pop();
      last = { from: before.from, to: last.to, digest: nodeOf(before.digest, last.digest) };
    }
    this.#blocks.push(last);
  }

  /** Returns the root of the tree over all lines so far, in hexadecimal. */
  root(): string {
    const digests = this.#blocks.map(({ digest }) => digest);
    return (
      digests.length === 0 ? sha256() : digests.reduceRight((right, left) => nodeOf(left, right))
    ).toString("hex");
  }
}

/** Returns whether a block can be the next subtree of the tree over the lines so far. */
export function isNextBlock({ from, to }: Omit<Block, "digest">, lines: number): boolean {
  const size = to - from + 1;
  return (
    from === lines + 1 && size >= 1 && Number.isInteger(Math.log2(size)) && (from - 1) % size === 0
  );
}
