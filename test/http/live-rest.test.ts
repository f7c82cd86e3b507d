/** What is watched is made again soon, also where one making of it was slow for another reason. */
import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openScene } from "../support/scene.ts";

const scene = await openScene();
afterAll(() => scene.desk.close());

test("a document that had to wait for a lock once is not old for twenty times as long", async () => {
  const { desk, operator, held } = scene;
  const { database } = desk.desk;
  const code = await held();
  const look = async () => (await operator.get(`/api/payouts/${code}`)).json;
  await sleep(1_500); // what was made of it before is old

  const slow = await database.transaction().execute(async (transaction) => {
    await sql`lock table payout_details in access exclusive mode`.execute(transaction);
    const looked = look();
    await sleep(1_500);
    return { looked };
  });
  await slow.looked;

  await sql`update payouts set reason = 'poison' where id in (
    select payout_id from payout_details where transaction_code = ${code})`.execute(database);
  const changed = async () => (await look()).reason.includes("poison");
  await eventually("what another process has changed is seen", changed, 10_000);
  expect(await changed()).toBe(true);
}, 30_000);
