/** A watched document is refreshed soon, even if one refresh was slow for another reason. */
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../../support/servers/eventually.ts";
import { withTableLocked } from "../../support/servers/table-lock.ts";
import { openScene } from "../../support/actions/scene.ts";

const scene = await openScene();
afterAll(() => scene.server.close());

test("keeps documents fresh after it waited once for a lock", async () => {
  const { server, operator, held } = scene;
  const { database } = server.deps;
  const code = await held();
  const look = async () => (await operator.get(`/api/payouts/${code}`)).json;
  await sleep(1_500); // the document built before is outdated

  const slow = await withTableLocked(
    server.deps.config.DATABASE_URL ?? "",
    "payout_details",
    async () => {
      const looked = look();
      await sleep(1_500);
      return { looked };
    },
  );
  await slow.looked;

  await sql`update payouts set reason = 'poison' where id in (
    select payout_id from payout_details where transaction_code = ${code})`.execute(database);
  const changed = async () => (await look()).reason.includes("poison");
  await eventually("what another process has changed is seen", changed, 10_000);
  expect(await changed()).toBe(true);
}, 30_000);
