import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { Secret } from "#base/secret.ts";
import { readSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { findKeyRing } from "#ledger/integrity/sealing-keys.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import type { SealedShard } from "#ledger/store/keys/subject-keys.ts";
import { createSealer, type Sealer } from "#ledger/store/sealing.ts";
import { asTestOwner } from "../../test/support/servers/postgres.ts";
import { archiveWal, dump, install, type Installation, newKey } from "./installation.ts";
import { inventPeople, type PlantedPerson } from "./people.ts";
import { plant, type PlantedCodes } from "./plant.ts";
import { type Findings, searchPlace } from "./search.ts";
import { collectSealedTexts, type SealedText, unknownColumns } from "./sealed-texts.ts";

/** The people who can be read in a place, before and after the erasure. */
export interface PlaceResult {
  readonly place: string;
  readonly megabytes: number;
  /** Encrypted texts of planted people that the place contained before. */
  readonly sealed: number;
  readonly before: number;
  readonly after: number;
  /** People who can be read without a key, before and after. */
  readonly plain: readonly [number, number];
}

export interface ErasureResult {
  readonly people: number;
  readonly places: readonly PlaceResult[];
  /** Encrypted texts of planted people by column. */
  readonly columns: Readonly<Record<string, number>>;
  /** Columns of bytes that the proof does not know. */
  readonly unknown: readonly string[];
  /** Old key trees, of which a copy exists, that the keys of today open. */
  readonly oldTrees: number;
  /** Payouts of others that can no longer be read. */
  readonly lost: number;
}

/** Plants people, erases them, and searches for them everywhere. */
export async function runErasureCampaign({
  people: count,
}: {
  readonly people: number;
}): Promise<ErasureResult> {
  const people = inventPeople(count);
  const installation = await install();
  try {
    const codes = await plant(installation, people);
    const owner = openDatabase(asTestOwner(installation.env()["DATABASE_URL"] ?? ""));
    try {
      return await eraseAndSearch(installation, owner, codes);
    } finally {
      await owner.destroy();
    }
  } finally {
    await installation.close();
  }
}

async function eraseAndSearch(
  installation: Installation,
  owner: Database,
  codes: ReadonlyMap<PlantedPerson, PlantedCodes>,
): Promise<ErasureResult> {
  const people = [...codes.keys()];
  const before = await sealerNow(installation, owner);
  const texts = await collectSealedTexts(owner, before, people);
  const search = async (sealer: Sealer) => {
    await sql`checkpoint`.execute(owner);
    await archiveWal(owner);
    return installation.places.map((place) =>
      searchPlace(place, people, texts, (text) => opens(sealer, text)),
    );
  };
  await dump(owner, join(installation.folder, "dumps", "before.txt"));
  const trees = await storedTrees(owner);
  const found = await search(before);
  await erase(installation, codes);
  trees.push(...(await storedTrees(owner)));
  await rotate(installation);
  // Files that payrun read belong to the operator.
  rmSync(join(installation.folder, "files", "payroll.csv"));
  await sql`vacuum`.execute(owner);
  await dump(owner, join(installation.folder, "dumps", "after.txt"));
  const after = await sealerNow(installation, owner);
  const left = await search(after);
  return {
    people: people.length,
    places: installation.places.map(({ name }, at) =>
      resultOf(name, found[at] as Findings, left[at] as Findings),
    ),
    columns: Object.fromEntries(
      Object.entries(Object.groupBy(texts, ({ column }) => column)).map(([column, all]) => [
        column,
        all?.length ?? 0,
      ]),
    ),
    unknown: await unknownColumns(owner),
    oldTrees: trees.filter((tree) => opensTree(after, installation.key, tree)).length,
    lost: await countLost(owner, after),
  };
}

const readable = ({ plain, opened }: Findings): number => new Set([...plain, ...opened]).size;

const resultOf = (place: string, found: Findings, left: Findings): PlaceResult => ({
  place,
  megabytes: Math.round(left.bytes / 1_000_000),
  sealed: found.sealed,
  before: readable(found),
  after: readable(left),
  plain: [found.plain.size, left.plain.size],
});

async function erase(
  installation: Installation,
  codes: ReadonlyMap<PlantedPerson, PlantedCodes>,
): Promise<void> {
  for (const [at, { payouts, deposit }] of [...codes.values()].entries()) {
    for (const code of [...payouts, deposit]) {
      await installation.command("erase", "person", code, "--reason", `request ${at + 1}`);
    }
  }
}

/** Rotates the key and destroys the old one. */
async function rotate(installation: Installation): Promise<void> {
  const next = newKey();
  const file = join(installation.folder, "next.key");
  writeFileSync(file, next);
  await installation.command("key", "rotate", "--to", file);
  installation.key = next;
}

async function sealerNow({ key }: Installation, database: Database): Promise<Sealer> {
  const sealer = createSealer(new Secret(key), await findKeyRing(database));
  await readSubjectKeys(database, sealer);
  return sealer;
}

function opens(sealer: Sealer, { sealed, place }: SealedText): boolean {
  try {
    sealer.open(sealed, place);
    return true;
  } catch {
    return false;
  }
}

async function storedTrees(database: Database): Promise<SealedShard[]> {
  const { rows } = await sql<SealedShard>`
    select shard, version, sealed from payrun.key_tree`.execute(database);
  return rows;
}

/** An old shard was sealed under the destroyed key. No key of today may open it. */
function opensTree(sealer: Sealer, key: string, shard: SealedShard): boolean {
  const others = [sealer, createSealer(new Secret(key))];
  return others.some(({ subjects }) => {
    try {
      subjects.load([shard]);
      return true;
    } catch {
      return false;
    }
  });
}

async function countLost(database: Database, sealer: Sealer): Promise<number> {
  const { rows } = await sql<{ sealed: Buffer; place: string }>`
    select sealed, 'payout_details ' || transaction_code as place from payrun.payout_details
    where transaction_code = 'OTHER-1'`.execute(database);
  return rows.filter(({ sealed, place }) => {
    try {
      return !sealer.open(sealed, place).includes("Asha Rao");
    } catch {
      return true;
    }
  }).length;
}
