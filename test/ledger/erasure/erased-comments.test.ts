/** Erasure of comments: a name belongs to the person whom the batch pays. */
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { Secret } from "#base/secret.ts";
import { addComment } from "#flows/comment/add-comment.ts";
import { proposeErasure } from "#flows/erasure/erase-person.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { bindKey } from "#ledger/integrity/sealing-keys.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { createSealer } from "#ledger/store/sealing.ts";
import { approvedBatch, declineAll, freshLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

const ACCOUNT = "50100098765432";
const OTHER_ACCOUNT = "50100012345678";
const NAME = "Zubaidah Quillfeather";

let url: string;
let database: Database;
let ledger: Ledger;
beforeEach(async () => {
  url = await freshLedger();
  const sealer = createSealer(new Secret(randomBytes(32).toString("hex")));
  database = withAuditSeal(openDatabase(url), sealer);
  ledger = createLedger(database, sealer, systemClock);
  await bindKey(database, sealer.keyCheck);
});
afterEach(() => database.destroy());

const deps = () => ({ ledger, clock: systemClock });
async function paid(...rows: Parameters<typeof approvedBatch>[1]): Promise<string> {
  const { id } = await approvedBatch(ledger, rows);
  await declineAll(ledger, id);
  return id;
}

test("keeps comments on a batch that pays only another person of the same name", async () => {
  const person = { account: ACCOUNT, name: NAME };
  const namesake = { account: OTHER_ACCOUNT, name: NAME };
  const batches = {
    mine: await paid(person),
    namesake: await paid(namesake),
    both: await paid(person, namesake),
    nobodys: await paid({ name: "Other Person" }),
  };
  const names = new Map<string, string>();
  const comment = async (name: string, batch: string, text: string): Promise<void> => {
    const written = { on: { batch }, text, replyTo: null, actor: "cli:ops" };
    const added = await addComment(written, deps());
    if (added.ok) names.set(added.value, name);
  };
  for (const [name, batch] of Object.entries(batches))
    await comment(name, batch, "zubaidah QUILLFEATHER called");
  await comment("numbered", batches.namesake, `${NAME}, account ${ACCOUNT}`);

  const [row] = await query(
    url,
    `select transaction_code as code from payout_details
     where payout_id in (select id from payouts where batch_id = '${batches.mine}')`,
  );
  const erasure = { code: String(row?.["code"]), reason: "request 12", actor: "cli:ops" };
  expect(await proposeErasure({ ...erasure, keptAfter: null }, deps())).toMatchObject({
    ok: true,
    value: { comments: 4 },
  });
  const left = await query(url, "select id from comments where sealed is distinct from '\\x00'");
  expect(left.map(({ id }) => names.get(String(id)))).toEqual(["namesake"]);
});
