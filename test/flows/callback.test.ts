import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#clock.ts";
import { receiveCallback } from "#flows/callback.ts";
import { resolve } from "#flows/resolve.ts";
import { submit } from "#flows/submit.ts";
import { Cipher } from "#gateway/cipher.ts";
import { roundAt } from "#jobs/submit.ts";
import { Secret } from "#secret.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { flowDeps, toldGateway, type ToldGateway } from "../support/flow.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../support/ledger.ts";
import { rowsOf } from "../support/payrun.ts";
import { query } from "../support/postgres.ts";

let open: TestLedger;
let gateway: ToldGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = toldGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const jobOf = (batchId: string) => ({
  batchId,
  lane: laneIn("INR"),
  round: roundAt(systemClock.nowMs()),
});
const sql = (text: string) => query(open.url, text);
const states = async () =>
  (await sql("select state from payouts order by line")).map((row) => row["state"]);

describe("F70 a callback", () => {
  const merchant = DEMO_MERCHANTS.find(({ currencies }) => currencies.includes("INR"));
  const bodyFor = (code: string) => {
    const cipher = new Cipher(
      new Secret(merchant?.api_key ?? ""),
      new Secret(merchant?.api_secret ?? ""),
    );
    const fields = {
      transaction_no: "WD1",
      transaction_code: code,
      transaction_status: 2,
      transaction_amount: "100.00",
      transaction_fee: "0.00",
      currency_code: "INR",
      transaction_ref: "",
    };
    return { key: encodeURIComponent(cipher.seal(JSON.stringify(fields))), transaction_code: code };
  };

  test("that says completed, and opens, settles nothing: the question is brought forward", async () => {
    const { id } = await approvedBatch(open.ledger, rowsOf(1));
    await submit(jobOf(id), world.deps);
    await sql("update payouts set due_at = now() + interval '1 hour'");
    const code = gateway.sent[0]?.transactionCode ?? "";
    await receiveCallback(bodyFor(code), world.deps);
    expect(await states()).toEqual(["accepted"]);
    expect(world.hints.map(({ queue }) => queue)).toEqual(["payrun-callback"]);
    gateway.answer = () => ({ kind: "not_found", text: "" });
    await resolve(jobOf(id), world.deps);
    expect(gateway.asked).toEqual([code]);
    expect(await states()).toEqual(["accepted"]);
  });

  test("about a payout that is not sent yet sends it neither sooner nor again", async () => {
    const { id } = await approvedBatch(open.ledger, [{ code: "OWN-1" }]);
    await receiveCallback(bodyFor("OWN-1"), world.deps);
    expect(await states()).toEqual(["approved"]);
    expect(await open.ledger.openAttempts(claimOf(id))).toHaveLength(1);
  });

  test("F73 about a code of nobody is kept apart and asks for nothing", async () => {
    await receiveCallback(bodyFor("NOBODY"), world.deps);
    expect(await sql("select facts ->> 'transactionCode' as code from stray_callbacks")).toEqual([
      { code: "NOBODY" },
    ]);
    expect(world.hints).toEqual([]);
  });
});
