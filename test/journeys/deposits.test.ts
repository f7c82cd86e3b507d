/** Deposits end to end: the real command line and server, the real simulator, the real queues. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DepositView } from "#api/deposit/deposits.ts";
import { systemClock } from "#base/clock.ts";
import { workingKey } from "../support/dashboard/server.ts";
import { eventually } from "../support/servers/eventually.ts";
import { ENGINES, startSetup, type Setup } from "../support/journey.ts";
import { openTestLedger, TEST_KEYRING, type TestLedger } from "../support/ledger.ts";
import {
  type Ended,
  runHere,
  type Running,
  startPayrun,
  startServe,
} from "../support/servers/payrun.ts";

const FAULTS = [
  { fault: "cut_after", operation: "deposit", amount: "111.00" },
  { fault: "hang_after", operation: "deposit", amount: "222.00" },
];
const FIELDS = {
  amount: "500",
  user_id: "customer-7",
  deposit_name: "Kim",
  phone: "01812345678",
  identity_id: "1",
  bank_code: "B1",
};

describe.each(ENGINES)("with the queue in %s", (engine) => {
  let setup: Setup;
  let server: Running;
  let ledger: TestLedger;
  let url: string;
  let key: string;
  beforeAll(async () => {
    setup = await startSetup(engine, { settleMs: 3_600_000, faults: FAULTS });
    ({ server, url } = await startServe(setup.env));
    ledger = await openTestLedger(setup.env["DATABASE_URL"]);
    const world = { database: ledger.database, clock: systemClock };
    const shop = await workingKey(world, ["read", "collect", "operate"]);
    key = shop.token.reveal();
    writeFileSync(join(setup.folder, "shop.key"), key, { mode: 0o600 });
  });
  afterAll(async () => {
    await server.end("SIGTERM");
    await ledger.close();
    await setup.stop();
  });

  async function api(path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${url}${path}`, {
      method: body ? "POST" : "GET",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, json: (await answer.json()) as DepositView };
  }
  const look = async (code: string) => (await api(`/api/deposits/${code}`)).json;
  const reaches = (code: string, state: string) =>
    eventually(`${code} is ${state}`, async () => {
      const deposit = await look(code);
      return deposit.state === state && deposit;
    });
  const cli = (words: string, env = setup.env) =>
    runHere(["deposit", ...words.split(" "), "--json"], env);
  /** From another machine, which has only an API key. */
  const there = (words: string) =>
    cli(words, { PAYRUN_SERVER: url, PAYRUN_API_KEY_FILE: join(setup.folder, "shop.key") });
  const viewIn = ({ stdout, stderr, code }: Ended) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as DepositView;
  };
  const operate = (currency: string, code: string, action: string, amount: string) =>
    fetch(`${setup.gateway.url}/operator`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({
        merchant: TEST_KEYRING.forCurrency(currency)?.merchantCode ?? "",
        code,
        action,
        amount,
      }),
    });
  const acceptedAs = async (code: string) =>
    (await setup.gateway.log()).filter(
      (line) => line.event === "deposit_accepted" && JSON.stringify(line).includes(code),
    );

  test.each(["INR", "BDT", "VND", "JPY", "BRL", "TRY", "MMK"])(
    "requests %s, pays it, and completes it by the gateway's status",
    async (currency) => {
      const { status, json } = await api("/api/deposits", { ...FIELDS, currency });
      expect([status, json]).toMatchObject([201, { state: "awaiting_payment", paid: null }]);
      const payable = json.payable ?? "";
      await operate(currency, json.code, "pay", payable);
      expect(await reaches(json.code, "completed")).toMatchObject({ paid: payable });
    },
  );

  test.each([
    ["on the ledger's machine", "U-1", cli],
    ["on a server", "U-2", there],
  ])("completes KRW in two steps on the command line, %s", async (_where, user, run) => {
    const wish = `create --currency KRW --amount 50000 --user ${user} --name Kim --key ${user}`;
    const made = viewIn(await run(wish));
    expect(viewIn(await run(wish)).code).toBe(made.code);
    expect(made).toMatchObject({ state: "awaiting_bank", amount: "50000" });
    const bank = made.banks?.[0]?.code ?? "";
    const words = `krw-account ${made.code} --bank ${bank} --account 12345678901`;
    // An account that the gateway refuses ends as a refusal, and another account may follow.
    const refused = await run(words.replace(` ${bank} `, " NOBANK "));
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
      7,
      { state: "awaiting_bank" },
    ]);
    const given = viewIn(await run(words));
    expect(given).toMatchObject({
      state: "awaiting_payment",
      destination: { kind: "krw_account" },
      depositor: { bank_code: bank, account_number: "•••••••8901" },
    });
    expect(await run(words)).toMatchObject({
      code: 6,
      stderr: "Not possible in the current state: The deposit is in the awaiting_payment state.\n",
    });
    await operate("KRW", made.code, "pay", "40000");
    expect(await reaches(made.code, "completed")).toMatchObject({
      amount: "50000",
      paid: "40000",
      reason: "paid_differently",
    });
    expect(viewIn(await run(`query ${made.code}`))).toMatchObject({ state: "completed" });
    const listed = await run(`list --currency KRW --user ${user}`);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      items: [{ code: made.code, paid: "40000" }],
    });
  });

  test("queries the gateway after a truncated answer: it has the deposit once", async () => {
    const wish = { ...FIELDS, currency: "INR", amount: "111" };
    const { json } = await api("/api/deposits", wish, { "idempotency-key": "K1" });
    expect(await reaches(json.code, "awaiting_payment")).toMatchObject({
      reason: "answer_lost",
      destination: null,
    });
    const again = await api("/api/deposits", wish, { "idempotency-key": "K1" });
    expect(again.json.code).toBe(json.code);
    expect(await acceptedAs(json.code)).toHaveLength(1);
  });

  test("leaves the deposit of a killed process to other processes, which query it", async () => {
    const wish = "create --currency INR --amount 222 --user U-K --name Kim --key killed";
    const running = startPayrun(["deposit", ...wish.split(" ")], {
      ...setup.env,
      GATEWAY_TIMEOUT_MS: "4000",
    });
    const { code } = await eventually("the deposit is on record", async () => {
      const { items } = (await api("/api/deposits?user_id=U-K")).json as unknown as {
        items: DepositView[];
      };
      return items[0] ?? false;
    });
    await eventually("the gateway has it", async () => (await acceptedAs(code)).length > 0);
    await running.end("SIGKILL");
    expect(await reaches(code, "awaiting_payment")).toMatchObject({ reason: "answer_lost" });
    expect(viewIn(await cli(wish)).code).toBe(code);
    expect(await acceptedAs(code)).toHaveLength(1);
  });

  test.each([
    [
      "create --currency IDR --amount 5 --user U-1 --name Kim",
      3,
      /not accepted for deposits by the gateway/,
    ],
    [
      "create --currency INR --amount x --user U-1 --name Kim",
      2,
      /^--amount: expected an amount such as 1200 or 99\.50, but found "x"\.$/m,
    ],
    ["show PDNOBODY", 4, /^There is no deposit PDNOBODY\.$/m],
  ])("deposit %s exits with %i", async (words, code, said) => {
    expect(await cli(words)).toMatchObject({ code, stderr: expect.stringMatching(said) });
  });
});
