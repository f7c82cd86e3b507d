/** A process that creates and detaches archives of a ledger, so that a test can kill it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#base/clock.ts";
import { openArchive } from "#integrity/archive/read.ts";
import { createArchives } from "#ledger/integrity/archive/create-archive.ts";
import { findArchives } from "#ledger/integrity/archive/registry.ts";
import { detachArchive } from "#ledger/integrity/archive/work-archive.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { openDatabase } from "#ledger/store/database.ts";
import { createSealer } from "#ledger/store/sealing.ts";
import { Secret } from "#base/secret.ts";

const [url = "", key = "", folder = ""] = process.argv.slice(2);
const sealer = createSealer(new Secret(key));
const database = withAuditSeal(openDatabase(url), sealer);
const deps = { database, sealer, clock: systemClock };
const until = new Date(Date.now() + 24 * 3_600_000);
process.stdout.write("started\n");
await createArchives({ folder, until, actor: "cli:test", partsMax: 2 }, deps);
const known = new Set((await findArchives(database)).map(({ fileName }) => fileName));
for (const name of readdirSync(folder).filter((each) => known.has(each))) {
  const archive = await openArchive(join(folder, name), sealer.publicKeys());
  await archive.verify();
  await detachArchive(archive, { actor: "cli:test" }, deps);
  await archive.close();
}
await database.destroy();
