import { isDeepStrictEqual } from "node:util";
import { inChunks, readFile } from "../../support/samples.ts";
import { type PlainReading, readPlainly } from "./plain-reader.ts";
import { uglyFile } from "./ugly-file.ts";

/** The product's result for a file, in the form of the other reader. Null: it refuses the file. */
export async function readByProduct(bytes: Uint8Array): Promise<PlainReading | null> {
  const { refused, facts, verdicts, added = 0 } = await readFile(inChunks(bytes));
  if (refused || !facts) return null;
  // The other reader knows no columns that payrun adds.
  const records = verdicts.map(({ line, cells }) => ({ line, cells: cells.slice(added) }));
  return { encoding: facts.encoding, delimiter: facts.delimiter, records };
}

const differs = async (bytes: Uint8Array): Promise<boolean> =>
  !isDeepStrictEqual(await readByProduct(bytes), readPlainly(bytes));

/**
 * Number of these files that both readers read. Throws at the first file on which they disagree,
 * reduced to a minimum.
 */
export async function compareFiles(firstSeed: number, count: number): Promise<number> {
  let read = 0;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const bytes = uglyFile(seed);
    const plain = readPlainly(bytes);
    if (plain) read++;
    if (!isDeepStrictEqual(await readByProduct(bytes), plain))
      throw await disagreement(seed, bytes);
  }
  return read;
}

async function disagreement(seed: number, bytes: Buffer): Promise<Error> {
  const small = await smallest(bytes);
  const [product, plain] = [await readByProduct(small), readPlainly(small)].map((reading) =>
    reading ? JSON.stringify(reading).slice(0, 2_000) : "refused",
  );
  const shown = JSON.stringify(small.toString("latin1")).slice(-2_000);
  return new Error(
    `the readers disagree over file ${seed}, in short ${small.length} bytes (latin1): ${shown}\nproduct: ${product}\nplain: ${plain}`,
  );
}

/** Cuts pieces out of the file while the readers still disagree. */
async function smallest(bytes: Buffer): Promise<Buffer> {
  let small = bytes;
  for (let size = small.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < small.length; ) {
      const shorter = Buffer.concat([small.subarray(0, at), small.subarray(at + size)]);
      if (await differs(shorter)) small = shorter;
      else at += size;
    }
  }
  return small;
}
