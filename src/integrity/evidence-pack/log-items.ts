import { check } from "#integrity/evidence-pack/archive-reader.ts";
import {
  type Block,
  factsDigest,
  isNextBlock,
  leafOf,
  LogTree,
  treeLeaf,
  type TreeLine,
} from "#integrity/evidence-pack/log-tree.ts";
import type { LogRoot, Manifest } from "#integrity/evidence-pack/manifest.ts";

/** How much of a line the pack shows. */
export type Shown = "entry" | "without facts" | "digest";

type Entry = Omit<TreeLine, "seq" | "facts" | "hash"> & { readonly line: number };

/**
 * A line of audit.jsonl: an entry of the audit log with or without its facts, or the digest of a
 * subtree of lines that the pack does not show. Together they cover each line of the log once.
 */
type LogItem =
  | (Entry & { readonly facts: string; readonly hash: string })
  | (Entry & { readonly facts_digest: string })
  | { readonly from: number; readonly to: number; readonly digest: string };

/** Thrown when the audit log does not contain the given checkpoint. */
export class OtherCheckpointError extends Error {}

/** Converts the lines of the audit log to audit.jsonl, with memory for one path of the tree. */
export class LogItems {
  readonly #all = new LogTree();
  #hidden = new LogTree();
  readonly #checkpoint: LogRoot | null;

  constructor(checkpoint: LogRoot | null) {
    this.#checkpoint = checkpoint;
  }

  /**
   * Yields the items that are complete with this line.
   *
   * @throws OtherCheckpointError if the tree up to the checkpoint has another root.
   */
  *add(line: TreeLine, shown: Shown): Generator<LogItem> {
    const { seq, facts, hash, ...entry } = line;
    const leaf = treeLeaf(line);
    this.#all.add(leaf);
    if (shown === "digest") this.#hidden.add(leaf);
    else {
      yield* this.end();
      const about = { line: seq, ...entry };
      yield shown === "entry"
        ? { ...about, facts, hash }
        : { ...about, facts_digest: factsDigest(line) };
    }
    if (seq !== this.#checkpoint?.line) return;
    yield* this.end();
    if (this.#all.root() !== this.#checkpoint.root)
      throw new OtherCheckpointError(`the root at line ${seq} is ${this.#all.root()}`);
  }

  /** Yields the subtrees of hidden lines that are left. */
  *end(): Generator<LogItem> {
    for (const { from, to, digest } of this.#hidden.blocks)
      yield { from, to, digest: digest.toString("hex") };
    this.#hidden = new LogTree();
  }

  /** The last line and the root over all lines. */
  get root(): LogRoot {
    return { line: this.#all.lines, root: this.#all.root() };
  }
}

/**
 * Checks that audit.jsonl covers every line of the log once, and that its entries lead to the roots
 * in the manifest. Returns the number of entries.
 *
 * @throws PackError if they do not.
 */
export async function checkLog(
  lines: AsyncIterable<string>,
  { line: last, root, checkpoint }: Manifest["log"],
): Promise<number> {
  const tree = new LogTree();
  let entries = 0;
  let isLinked = checkpoint === null;
  for await (const text of lines) {
    const item = JSON.parse(text) as LogItem;
    const block = blockOf(item);
    check(isNextBlock(block, tree.lines), `audit log line ${tree.lines + 1} is missing`);
    tree.add(block);
    if ("line" in item) entries += 1;
    if (tree.lines !== checkpoint?.line) continue;
    isLinked = tree.root() === checkpoint.root;
  }
  check(tree.lines === last && tree.root() === root, "the audit entries do not lead to the root");
  check(isLinked, "the audit entries do not lead to the checkpoint");
  return entries;
}

function blockOf(item: LogItem): Block {
  if (!("line" in item)) return { ...item, digest: Buffer.from(item.digest, "hex") };
  const { line } = item;
  const facts = "hash" in item ? factsDigest(item) : item.facts_digest;
  return { from: line, to: line, digest: leafOf({ ...item, seq: line }, facts) };
}
