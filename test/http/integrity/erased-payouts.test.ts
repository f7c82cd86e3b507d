/** Everything that shows a payout still answers after its person was erased. */
import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { openScene } from "../../support/actions/scene.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, uploader, checker, declined } = scene;

test("shows an erased payout without details, and does not retry it", async () => {
  const batchId = await declined();
  const { rows } = await sql<{ code: string }>`
    select transaction_code as code
    from payouts p join payout_details d on d.payout_id = p.id
    where p.batch_id = ${batchId} order by p.id limit 1`.execute(server.deps.database);
  const code = rows[0]?.code ?? "";
  const name = "Asha Rao";
  const shown = await operator.get(`/api/payouts/${code}`);
  expect(shown.json.beneficiary).toBe(name);
  const { id } = (await operator.post("/api/erasures", { code, reason: "request 12" })).json;
  expect((await checker.post(`/api/erasures/${id}/decide`, { agree: true })).json).toMatchObject({
    state: "erased",
    payouts: 1,
  });
  // No cached page is left.
  expect((await operator.get(`/api/payouts/${code}`)).json.beneficiary).toBeNull();
  for (const path of [
    `/api/payouts/${code}`,
    `/api/payouts/${code}/evidence-pack`,
    "/api/payouts?limit=50",
    `/api/payouts?batch=${batchId}&limit=50`,
    `/api/batches/${batchId}`,
    `/api/batches/${batchId}/rows`,
    `/api/batches/${batchId}/report`,
    `/api/batches/${batchId}/evidence-pack`,
    `/api/batches/${batchId}/retry-batch`,
    `/api/batches/${batchId}/comparison`,
    `/api/batches/${batchId}/approval`,
    `/api/batches/${batchId}/approval/rows`,
  ]) {
    const answer = await operator.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(path.includes(code) && (JSON.stringify(answer.json) ?? "").includes(name)).toBe(false);
  }
  for (const path of ["declined-rows", "copy"]) {
    const answer = await uploader.get(`/api/batches/${batchId}/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const retry = await uploader.post(`/api/batches/${batchId}/retry-batch`, { reason: "confirmed" });
  // The other row of the batch is retried.
  expect(retry.json).toMatchObject({ payouts: 1, left_out: 1 });
});
