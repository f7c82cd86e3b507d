import { describe, expect, test } from "vitest";
import { receiveDepositCallback } from "#flows/deposit/callback.ts";
import { followDeposit } from "#flows/deposit/follow.ts";
import { ACCEPTED, depositScene, newDeposit, record } from "../../support/deposits.ts";

const scene = depositScene();

describe("amount paid", () => {
  test("records the gateway's amount next to the requested one", async () => {
    scene.gateway.request = () => ({ ...ACCEPTED, amount: "500.37" });
    const code = await newDeposit(scene.deps);
    scene.gateway.about = (asked) => record(asked, "completed", { amount: "450.5" });
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "completed",
      reason: "paid_differently",
      money: { minor: 50_000n },
      payable: { minor: 50_037n },
      paid: { minor: 45_050n },
      dueAt: null,
    });
  });

  test.each([
    ["in another currency", { currency: "BDT" }, "code_not_ours: the gateway reports BDT 500.00"],
    ["that is not an amount", { amount: "1e3" }, "unclear_status: the gateway reports INR 1e3"],
  ])("leaves %s to a person", async (_what, change, reason) => {
    const code = await newDeposit(scene.deps);
    scene.gateway.about = (asked) => record(asked, "completed", change);
    for (let turn = 0; turn < 3; turn += 1) await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({ state: "manual", reason, paid: null });
  });

  test("leaves a payment that the gateway revokes to a person, and reports no amount as paid", async () => {
    const code = await newDeposit(scene.deps);
    scene.gateway.about = (asked) => record(asked, "completed");
    await scene.follow(code);
    scene.gateway.about = (asked) => record(asked, "failed");
    await receiveDepositCallback(code, { state: "failed" }, scene.deps);
    await followDeposit({ transactionCode: code }, scene.deps);
    expect(await scene.depositOf(code)).toMatchObject({
      state: "manual",
      reason: "contradiction: completed, now failed",
      paid: null,
    });
    const reported = await scene.told("transitions", "t.to_state as state", code);
    expect(reported.map(({ state }) => state)).toEqual(
      expect.arrayContaining(["completed", "manual"]),
    );
  });
});

describe("expiry", () => {
  const inMinutes = (minutes: number) => ({
    at: "as written",
    timezone: "GMT+05:30",
    atMs: Date.now() + minutes * 60_000,
  });

  test("stops the waiting, but a late payment still counts", async () => {
    scene.gateway.request = () => ({ ...ACCEPTED, expiry: inMinutes(15) });
    const code = await newDeposit(scene.deps);
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
    await scene.older(code, "16 minutes");
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("expired");
    await scene.older(code, "24 hours");
    scene.gateway.about = (asked) => record(asked, "completed");
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({ state: "completed", reason: "paid_late" });
  });

  test("is followed for 72 hours, and then until the gateway answers", async () => {
    scene.gateway.request = () => ({ ...ACCEPTED, expiry: inMinutes(15) });
    const code = await newDeposit(scene.deps);
    await scene.older(code, "16 minutes");
    await scene.follow(code);
    await scene.older(code, "73 hours");
    scene.gateway.about = () => ({ kind: "no_answer", code: "timeout", text: "silence" });
    await scene.follow(code);
    expect((await scene.depositOf(code)).dueAt).not.toBeNull();
    scene.gateway.about = (asked) => record(asked, "pending");
    await scene.follow(code);
    expect(await scene.depositOf(code)).toMatchObject({ state: "expired", dueAt: null });
  });

  test("defaults to a day after the request when its zone cannot be read", async () => {
    scene.gateway.request = () => ({
      ...ACCEPTED,
      expiry: { at: "soon", timezone: "Moon", atMs: null },
    });
    const code = await newDeposit(scene.deps);
    expect((await scene.depositOf(code)).expiry).toEqual({ text: "soon", zone: "Moon", at: null });
    await scene.older(code, "23 hours");
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("awaiting_payment");
    await scene.older(code, "2 hours");
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("expired");
  });
});
