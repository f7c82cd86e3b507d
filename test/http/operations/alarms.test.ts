import { expect, test } from "vitest";
import { startTestServer } from "../../support/dashboard/server.ts";
import { ingestFile } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

test("raises an alarm with the name of a batch that bypassed the approval rules", async () => {
  const desk = await startTestServer();
  const { ledger, databaseUrl } = desk.deps;
  const { batch } = await ingestFile(ledger, fileText([{}]));
  await force(databaseUrl, "update batches set state = 'approved' where id = $1", [batch.id]);
  const { json } = await desk.as("viewer").get("/api/operations");
  expect(json.alarms).toContainEqual({
    code: "approvals_missing",
    level: "critical",
    says: expect.stringContaining(batch.id),
    parts: [
      {
        says: expect.stringContaining(batch.id),
        payouts: 1,
        sums: [{ currency: "INR", amount: expect.any(String) }],
        payouts_filter: { batch: batch.id },
      },
    ],
  });
  await desk.close();
});
