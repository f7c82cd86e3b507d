import { expect, test } from "vitest";
import { type ExportRecord, exportLedger } from "#ledger/integrity/export/export.ts";
import { linkTokenOf } from "#ledger/deposit/sealed-deposits.ts";
import { depositScene, newDeposit, record } from "../../../support/deposits.ts";

const scene = depositScene();

test("exports deposits with their history, without user, payer, destination or link", async () => {
  const code = await newDeposit(scene.deps);
  scene.gateway.about = (asked) => record(asked, "completed", { amount: "450.50" });
  await scene.follow(code);
  const open = await newDeposit(scene.deps);

  const records: ExportRecord[] = [];
  await exportLedger(scene.open.database, async (all) => {
    for await (const each of all) records.push(each);
  });
  const deposits = records.flatMap((each) => (each.kind === "deposit" ? [each.deposit] : []));
  expect(deposits).toMatchObject([
    {
      transactionCode: code,
      state: "completed",
      money: { minor: 50_000n },
      payable: { minor: 50_000n },
      paid: { minor: 45_050n },
      attempts: [{ number: 1, kind: "request" }],
      evidence: [{ kind: "answer" }, { kind: "status" }],
      transitions: [
        { seq: 1, event: "accept", from_state: "requested" },
        { seq: 2, event: "complete", to_state: "completed" },
      ],
    },
    { transactionCode: open, state: "awaiting_payment", paid: null },
  ]);
  const text = JSON.stringify(records, (_name, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  const { sealer } = scene.open;
  for (const secret of ["U-1", "Asha Rao", "ORDER-1", "pay@bank", linkTokenOf(sealer, code)]) {
    expect(text).not.toContain(secret);
  }
});
