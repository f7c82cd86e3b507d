import { beforeEach, describe, expect, test } from "vitest";
import { receiveDepositCallback } from "#flows/deposit/callback.ts";
import {
  decideDepositResolution,
  proposeDepositResolution,
  type StatedResult,
} from "#flows/deposit/resolve.ts";
import { followDeposit } from "#flows/deposit/follow.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { findProposedResolution } from "#ledger/deposit/manual-resolution.ts";
import { insertApiKey } from "#ledger/people/api-keys.ts";
import { insertUser } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import { depositScene, newDeposit, record } from "../../support/deposits.ts";

const scene = depositScene();
const AT = new Date();
const CAME_IN: StatedResult = { cameIn: "450.50", evidence: "statement of 3 May, line 17" };
const NOTHING: StatedResult = { cameIn: null, evidence: "ticket 4711 of the gateway" };

const people = { count: 0 };
async function user(...roles: Role[]): Promise<string> {
  people.count += 1;
  const email = `u${people.count}@example.test`;
  return `user:${await insertUser(scene.open.database, { email, name: "U", roles, at: AT })}`;
}

/** A deposit about which the gateway contradicts itself. */
async function manual(): Promise<string> {
  const code = await newDeposit(scene.deps);
  scene.gateway.about = (asked) => record(asked, "completed");
  await scene.follow(code);
  await ask(code, "failed");
  expect(await scene.stateOf(code)).toBe("manual");
  return code;
}

async function ask(code: string, state: "completed" | "failed" | "pending"): Promise<void> {
  scene.gateway.about = (asked) => record(asked, state);
  await receiveDepositCallback(code, { state }, scene.deps);
  await followDeposit({ transactionCode: code }, scene.deps);
}

const say = (code: string, actor: string, said = CAME_IN) =>
  proposeDepositResolution({ code, actor, said }, scene.deps);

async function open(code: string) {
  return findProposedResolution(scene.open.database, await scene.depositOf(code));
}

const answer = async (code: string, actor: string, agree = true) =>
  decideDepositResolution({ code, actor, agree, id: (await open(code))?.id ?? 0 }, scene.deps);

const actionsOn = async (code: string) =>
  (await scene.sql(`select action from audit where object = '${code}' order by seq`)).map(
    ({ action }) => action,
  );

test("lets one person resolve it on the command line of a ledger without approvers, and logs that", async () => {
  const code = await manual();
  expect(await say(code, "cli:ops")).toEqual({ ok: true, value: true });
  expect(await scene.stateOf(code)).toBe("resolved");
  expect(
    await scene.sql(`select facts::jsonb->>'alone' as alone from audit
      where object = '${code}' and action = 'resolve_deposit'`),
  ).toEqual([{ alone: "true" }]);
});

describe("manual resolution of a deposit", () => {
  let operator: string;
  let approver: string;
  beforeEach(async () => {
    operator = await user("operator");
    approver = await user("approver", "operator");
  });

  test.each([
    [CAME_IN, "resolved_received: INR 450.50; statement of 3 May, line 17"],
    [NOTHING, "resolved_not_received: ticket 4711 of the gateway"],
  ])("needs two people and is never presented as proven", async (said, reason) => {
    const code = await manual();
    await say(code, operator, said);
    expect(await scene.stateOf(code)).toBe("manual");
    expect(await answer(code, approver)).toEqual({ ok: true, value: true });
    expect(await scene.depositOf(code)).toMatchObject({
      state: "resolved",
      reason,
      paid: null,
      dueAt: null,
    });
    expect(await actionsOn(code)).toEqual([
      "request_deposit",
      "propose_resolution",
      "resolve_deposit",
    ]);
    expect(await verifyAudit(scene.open.database)).toMatchObject({ intact: true });
  });

  test("cannot be confirmed by the proposer or the proposer's key", async () => {
    const code = await manual();
    await say(code, approver);
    expect(await answer(code, approver)).toMatchObject({ error: { kind: "own_resolution" } });
    const { id } = await insertApiKey(scene.open.database, {
      name: "k",
      scopes: ["operate"],
      createdBy: approver.slice(5),
      expiresAt: new Date(AT.getTime() + 3_600_000),
      at: AT,
    });
    await say(code, `key:${id}`);
    expect(await answer(code, approver)).toMatchObject({ error: { kind: "own_resolution" } });
    expect(await answer(code, operator)).toMatchObject({ error: { kind: "not_an_approver" } });
    expect(await say(code, "cli:ops")).toMatchObject({ ok: true }); // another person could confirm: it waits
    expect(await scene.stateOf(code)).toBe("manual");
  });

  test("is replaced by a later proposal, and a confirmation applies to what was seen", async () => {
    const code = await manual();
    await say(code, operator);
    const first = (await open(code))?.id ?? 0;
    await say(code, operator, NOTHING);
    expect(
      await decideDepositResolution({ code, actor: approver, id: first, agree: true }, scene.deps),
    ).toMatchObject({ error: { kind: "content_changed" } });
    expect(await answer(code, approver, false)).toMatchObject({ ok: true });
    expect(await open(code)).toBeNull();
    expect(await scene.stateOf(code)).toBe("manual");
    expect((await actionsOn(code)).at(-1)).toBe("refuse_resolution");
  });

  test("happens once when two people confirm concurrently", async () => {
    const code = await manual();
    await say(code, operator);
    const others = [approver, await user("approver"), await user("approver")];
    const answers = await Promise.all(others.map((each) => answer(code, each)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await scene.told("transitions", "t.event", code)).at(-1)).toEqual({ event: "resolve" });
  });

  test("applies only to cases that a person must decide, in an amount of their currency", async () => {
    expect(await say(await newDeposit(scene.deps), operator)).toMatchObject({
      error: { kind: "wrong_state", state: "awaiting_payment" },
    });
    expect(await say("PDNOBODY", operator)).toMatchObject({ error: { kind: "not_found" } });
    for (const cameIn of ["1.005", "450.500"]) {
      const said = { cameIn, evidence: "x" };
      expect(await say(await manual(), operator, said), cameIn).toMatchObject({
        error: { kind: "refused", problem: expect.stringContaining("at most 2 decimals") },
      });
    }
  });

  test("is void once the gateway explains the deposit", async () => {
    const code = await manual();
    await scene.sql(`update deposits set reason = 'manual_process', due_at = now()
      where transaction_code = '${code}'`);
    await say(code, operator, NOTHING);
    const seen = (await open(code))?.id ?? 0;
    scene.gateway.about = (asked) => record(asked, "completed");
    await scene.follow(code);
    expect(await scene.stateOf(code)).toBe("completed");
    expect(
      await decideDepositResolution({ code, actor: approver, id: seen, agree: true }, scene.deps),
    ).toMatchObject({ error: { kind: "wrong_state" } });
  });

  test.each([
    [NOTHING, "completed", "manual"],
    [NOTHING, "failed", "resolved"],
    [CAME_IN, "failed", "manual"],
    [CAME_IN, "completed", "resolved"],
    [CAME_IN, "pending", "resolved"],
  ] as const)("resolved with %o, then the gateway reports %s: %s", async (said, word, state) => {
    const code = await manual();
    await say(code, operator, said);
    await answer(code, approver);
    await ask(code, word);
    expect(await scene.depositOf(code)).toMatchObject({ state, paid: null, dueAt: null });
  });

  test("requires the manual resolution in the ledger itself", async () => {
    const code = await manual();
    const close = `update deposits set state = 'resolved', seq = seq + 1 where transaction_code = '${code}'`;
    await expect(scene.sql(close)).rejects.toThrow("resolved without a confirmed resolution");
    await say(code, operator);
    await expect(scene.sql(close)).rejects.toThrow("resolved without a confirmed resolution");
    await expect(
      scene.sql("update deposit_resolutions set evidence = 'other' where outcome is null"),
    ).rejects.toThrow("is not edited");
    await expect(scene.sql("delete from deposit_resolutions")).rejects.toThrow("append-only");
  });
});
