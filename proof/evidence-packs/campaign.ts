import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "#integrity/evidence-pack/manifest.ts";
import { MANIFEST } from "#integrity/evidence-pack/manifest.ts";
import { PackError } from "#integrity/evidence-pack/archive-reader.ts";
import { verifyPack } from "#integrity/evidence-pack/verify.ts";
import { seededRandom } from "#simulator/faults/seeded-random.ts";
import { verifyPack as verifyIndependently } from "../../scripts/verify-pack.mjs";
import { type Dice, FORGERIES, filesOf, type Original } from "./forge.ts";

/** Result of a campaign: forged packs by kind, and those that a verifier did not detect. */
export interface CampaignResult {
  readonly forged: Readonly<Record<string, number>>;
  readonly undetected: readonly string[];
}

/** Loads a valid pack. */
export async function originalOf(path: string, sign: Original["sign"]): Promise<Original> {
  const bytes = await readFile(path);
  return { bytes, files: filesOf(bytes), sign };
}

/**
 * Verifies the valid packs, which both verifiers must accept, and then forged ones, which both must
 * detect. The kinds of forgeries take turns.
 */
export async function runCampaign(
  originals: readonly Original[],
  {
    packs,
    seed,
    folder,
  }: { readonly packs: number; readonly seed: number; readonly folder: string },
): Promise<CampaignResult> {
  const undetected: string[] = [];
  const path = join(folder, "forged.zip");
  for (const original of originals) {
    const refusals = await refusalsOf(original.bytes, keyOf(original), path);
    for (const [verifier, why] of refusals)
      if (why !== null) undetected.push(`a valid pack is refused by ${verifier}: ${why}`);
  }
  const kinds = Object.entries(FORGERIES);
  const forged: Record<string, number> = {};
  for (let index = 0; index < packs; index += 1) {
    const [kind = "", forge] = kinds[index % kinds.length] ?? [];
    const dice: Dice = (name, below) => Math.floor(seededRandom(seed, index, name) * below);
    // Some forgeries change nothing in the pack of one payout.
    const { original, bytes } =
      (await forgedFrom(dice("pack", originals.length))) ?? (await forgedFrom(0)) ?? {};
    if (!original || !bytes) throw new Error(`${kind} changed nothing`);
    forged[kind] = (forged[kind] ?? 0) + 1;
    for (const [verifier, why] of await refusalsOf(bytes, keyOf(original), path))
      if (why === null) undetected.push(`${kind}, pack ${index}: not detected by ${verifier}`);

    async function forgedFrom(place: number) {
      const [original, other] = [originals[place], originals[(place + 1) % originals.length]];
      if (!original || !other || !forge) throw new Error("a campaign needs packs");
      const bytes = await forge(original, dice, other);
      return bytes.equals(original.bytes) ? null : { original, bytes };
    }
  }
  return { forged, undetected };
}

const keyOf = ({ files }: Original): string =>
  (JSON.parse(files.get(MANIFEST) ?? "") as Manifest).key;

/** Returns why each verifier refuses the pack. Null: it accepts it. */
async function refusalsOf(
  bytes: Buffer,
  key: string,
  path: string,
): Promise<readonly (readonly [verifier: string, why: string | null])[]> {
  await writeFile(path, bytes);
  const own = await verifyPack(path, { key }).then(
    () => null,
    (error: unknown) => {
      // Any other error is a fault of the verifier.
      if (error instanceof PackError) return error.message;
      throw error;
    },
  );
  let independent: string | null = null;
  try {
    verifyIndependently(bytes, key);
  } catch (error) {
    independent = String(error);
  }
  return [
    ["payrun verify", own],
    ["verify-pack.mjs", independent],
  ];
}
