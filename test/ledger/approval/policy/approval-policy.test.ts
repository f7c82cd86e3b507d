import { describe, expect, test } from "vitest";
import {
  readApprovalPolicy,
  previewRules,
  writeApprovalPolicy,
} from "#ledger/approval/policy/approval-policy.ts";
import { openTestLedger, ingestFile } from "../../../support/ledger.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { query } from "../../../support/servers/postgres.ts";

describe("approval rules", () => {
  test("default to one approver until there is an admin, then two, and changes apply to later batches", async () => {
    const lone = await openTestLedger();
    const upload = async (amount: string) =>
      (await ingestFile(lone.ledger, fileText(rowsOf(2, () => ({ amount }))))).batch;
    const before = await upload("10.00");
    expect(before).toMatchObject({ peopleNeeded: 1, peopleWhy: "one person is enough" });

    await query(
      lone.url,
      "insert into users (id, email, name, roles) values ('US1', 'a', 'a', '{admin}')",
    );
    expect(await upload("10.00")).toMatchObject({ peopleNeeded: 2 });

    const rules = [{ currency: "INR", measure: "row", above: "100", people: 3 }] as const;
    const change = { base: 1, rules, hours: 4 } as const;
    const by = { actor: "user:US1", at: new Date() };
    await lone.database.transaction().execute((each) => writeApprovalPolicy(each, change, by));
    expect(await readApprovalPolicy(lone.database)).toEqual({ ...change, baseIsDefault: false });
    expect(await upload("100.00")).toMatchObject({ peopleNeeded: 1 });
    expect(await upload("100.01")).toMatchObject({
      peopleNeeded: 3,
      peopleWhy: "a payout above 100 INR needs 3 people",
    });
    expect((await lone.ledger.payout.findBatch({ id: before.id }))?.peopleNeeded).toBe(1);

    const tried = await previewRules(lone.database, { base: 2, rules: [] });
    expect(tried.map(({ now, by: { people } }) => [now, people])).toEqual([
      [3, 2],
      [1, 2],
      [2, 2],
      [1, 2],
    ]);
    const [line] = await query<{ facts: string }>(
      lone.url,
      "select facts from audit where action = 'approval_rules'",
    );
    expect(JSON.parse(line?.facts ?? "")).toMatchObject({
      before: { base: 2, hours: 24, rules: [] },
      after: { base: 1, hours: 4, rules },
    });
    await lone.close();
  });
});
