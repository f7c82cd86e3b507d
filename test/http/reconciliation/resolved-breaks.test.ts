/** Breaks of payouts that a statement has resolved are closed by their confirmation. */
import { afterAll, expect, test } from "vitest";
import { openScene } from "../../support/actions/scene.ts";
import { query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, held } = scene;

test("closes the breaks that the resolution explains, and no others", async () => {
  const codes = [await held(), await held(), await held()];
  const [row] = await query(
    server.deps.databaseUrl,
    `select p.lane, p.currency, p.amount_minor / 100 as amount from payouts p
     join payout_details d on d.payout_id = p.id where d.transaction_code = '${codes[0]}'`,
  );
  const { lane, currency, amount } = row as Record<string, string>;
  const day = new Date().toISOString().slice(0, 10);
  const lines = codes.map((code) => `${code},${currency},${Number(amount)},Completed,${day}`);
  const text = ["Transaction Code,Currency,Amount,Status,Completed At", ...lines, ""].join("\n");
  const about = { lane: lane ?? "", day, file_name: "s.csv", confirm_mapping: "true", zone: "UTC" };
  const loaded = await operator.send(
    "POST",
    `/api/statements?${new URLSearchParams(about).toString()}`,
    {
      body: text,
      headers: { "content-type": "text/csv" },
    },
  );
  expect(loaded.json.comparison.breaks).toMatchObject({ status: 3 });

  const open = async () =>
    (await operator.get("/api/breaks?state=open&limit=50")).json.items
      .filter((each: { class: string }) => each.class === "status")
      .map(({ code }: { code: string }) => code);
  const two = codes.slice(0, 2);
  const { json: seen } = await operator.post("/api/payout-actions", {
    action: "resolve",
    codes: two,
  });
  await operator.post(`/api/payout-actions/${seen.id}/apply`, { reason: "the statement" });
  expect((await open()).toSorted()).toEqual(codes.toSorted());
  const { json: done } = await checker.post(`/api/payout-actions/${seen.id}/confirm`);
  expect(done).toMatchObject({ state: "applied", changed: { count: 2 } });
  expect(await open()).toEqual(codes.slice(2));
  const audited = await query(
    server.deps.databaseUrl,
    `select facts from audit where action = 'reconcile' and object = '${seen.id}'`,
  );
  expect(audited.map(({ facts }) => JSON.parse(String(facts)))).toMatchObject([
    { lane, closed: 2, other_days: [day] },
  ]);
});
