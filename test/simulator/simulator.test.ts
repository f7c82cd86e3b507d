import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCallback } from "#gateway/callback.ts";
import { bodyOf, ENDPOINTS, pathOf } from "#gateway/wire/endpoints.ts";
import { DEMO_MERCHANTS, DEMO_MERCHANTS_FILE } from "#simulator/demo-merchants.ts";
import { readOptions } from "#simulator/state/options.ts";
import { REFUSAL_TEXTS } from "#simulator/faults/texts.ts";
import { clientTo, submit } from "../gateway/clients.ts";
import { keyring, orderOf } from "../gateway/fixtures.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

const folder = mkdtempSync(join(tmpdir(), "payrun-book-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("knows the merchants of samples/demo-merchants.json", () => {
  expect(JSON.parse(readFileSync(DEMO_MERCHANTS_FILE, "utf8"))).toEqual(DEMO_MERCHANTS);
});

const BASE = {
  user_id: "U1",
  account_name: "Jane Doe",
  bank_account_number: "11133322",
  bank_code: "B1",
  bank_name: "Bank",
};
/** A complete request for each currency, written by hand from the specification's table. */
// biome-ignore format: the table is easier to read in columns
const COMPLETE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BDT: { ...BASE, phone_number: "01812345678" },
  BRL: { ...BASE, bank_account_number: "12345678901" },
  CNY: BASE,
  IDR: { user_id: "U1", account_name: "A", bank_code: "B1", bank_name: "Bank" },
  INR: { ...BASE, ifsc_code: "HDFC0000001" },
  JPY: { ...BASE, branch_code: "001" },
  KRW: BASE,
  MMK: { user_id: "U1", account_name: "A" },
  MYR: { user_id: "U1", account_name: "A", bank_code: "B1", bank_name: "Bank" },
  PHP: { user_id: "U1", account_name: "A", bank_code: "B1", bank_name: "Bank" },
  THB: BASE,
  TRY: { user_id: "U1", account_name: "A" },
  USDT: { user_id: "U1", account_name: "A", address: "TXYZ" },
  VND: BASE,
};

let simulator: SimulatorProcess;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.stop());

/** Sends one payout as plain text, JSON or pairs, and returns the message of the answer. */
async function post(currency: string, changes: Readonly<Record<string, string | undefined>> = {}) {
  const merchant = keyring.forCurrency(currency);
  if (!merchant) throw new Error(`no demo merchant pays ${currency}`);
  const fields = {
    merchant_code: merchant.merchantCode,
    transaction_code: `T${Math.random().toString(36).slice(2)}`,
    transaction_timestamp: String(Math.floor(Date.now() / 1000)),
    payout_code: merchant.payoutCode,
    transaction_amount: "100",
    currency_code: currency,
    ...COMPLETE[currency],
    ...changes,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return postText(currency, given.map(([name, value]) => `${name}=${value}`).join("&"));
}

async function postText(currency: string, plaintext: string) {
  const merchant = keyring.forCurrency(currency);
  if (!merchant) throw new Error(`no demo merchant pays ${currency}`);
  const sealed = keyring.cipherOf(merchant).seal(plaintext);
  return postBody(merchant.merchantCode, bodyOf(ENDPOINTS.payout, sealed));
}

async function postBody(merchantCode: string, body: string) {
  const url = simulator.url + pathOf(ENDPOINTS.payout, merchantCode);
  const response = await fetch(url, { method: "POST", body });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as { success: boolean; message: string };
  expect(answer.success).toBe(true);
  return answer.message;
}

describe("required fields of a payout (specification, Payout request parameters)", () => {
  test("cover every demo merchant", () => {
    expect(DEMO_MERCHANTS.flatMap(({ currencies }) => currencies).sort()).toEqual(
      Object.keys(COMPLETE).sort(),
    );
  });

  test.each(Object.keys(COMPLETE))(
    "%s: accepts a complete request and answers 109 for each missing field",
    async (currency) => {
      expect(await post(currency)).toBe("request withdraw successful");
      const names = [
        ...Object.keys(COMPLETE[currency] ?? {}),
        "payout_code",
        "transaction_amount",
        "transaction_code",
      ];
      for (const name of names) {
        for (const value of [undefined, "null", ""]) {
          const message = await post(currency, { [name]: value });
          expect(`${name}: ${message}`).toBe(`${name}: ${REFUSAL_TEXTS["109"]}`);
        }
      }
    },
  );

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["INR", { ifsc_code: "12323" }, "120"],
    ["INR", { ifsc_code: "HDFC1000001" }, "120"],
    ["BDT", { phone_number: "8801812345678" }, "109"],
    ["BRL", { bank_account_number: "123" }, "109"],
    ["JPY", { transaction_amount: "100.00" }, "122"],
    ["IDR", { transaction_amount: "100.50" }, "122"],
    ["INR", { transaction_amount: "100.505" }, "122"],
    ["INR", { transaction_amount: "0.00" }, "109"],
    ["INR", { transaction_amount: "-5" }, "109"],
    ["INR", { transaction_amount: "1e3" }, "109"],
    ["INR", { currency_code: "THB" }, "114"],
    ["INR", { merchant_code: "SKU0" }, "115"],
  ])("answers %s with %j with %s", async (currency, changes, code) => {
    expect(await post(currency, changes)).toBe(REFUSAL_TEXTS[code]);
  });

  test("accepts timestamps from one hour ago to five minutes ahead (specification, Limits)", async () => {
    const at = (seconds: number) => ({
      transaction_timestamp: String(Math.floor(Date.now() / 1000) + seconds),
    });
    expect(await post("INR", at(-3590))).toBe("request withdraw successful");
    expect(await post("INR", at(290))).toBe("request withdraw successful");
    expect(await post("INR", at(-3605))).toBe(REFUSAL_TEXTS["112"]);
    expect(await post("INR", at(310))).toBe(REFUSAL_TEXTS["112"]);
  });

  test("reports a repeated code as a duplicate, whatever the other fields, and does not use up a refused code", async () => {
    const code = { transaction_code: "TWICE" };
    expect(await post("INR", { ...code, ifsc_code: "bad" })).toBe(REFUSAL_TEXTS["120"]);
    expect(await post("INR", code)).toBe("request withdraw successful");
    expect(await post("INR", { ...code, ifsc_code: "bad" })).toBe(REFUSAL_TEXTS["111"]);
    // Codes are unique per merchant.
    expect(await post("THB", code)).toBe("request withdraw successful");
  });

  test("answers unreadable requests: 115 for the key, 118 for the layout", async () => {
    const inr = keyring.forCurrency("INR");
    const thb = keyring.forCurrency("THB");
    if (!inr || !thb) throw new Error("the demo merchants pay INR and THB");
    const sealed = keyring.cipherOf(thb).seal("merchant_code=X&transaction_code=Y");
    expect(await postBody(inr.merchantCode, JSON.stringify({ key: sealed }))).toBe(
      REFUSAL_TEXTS["115"],
    );
    expect(await postBody("SKU0", JSON.stringify({ key: sealed }))).toBe(REFUSAL_TEXTS["115"]);
    for (const body of ["", "{}", "[1]", '{"key":7}']) {
      expect(await postBody(inr.merchantCode, body)).toBe(REFUSAL_TEXTS["118"]);
    }
    for (const text of [
      "",
      "no pairs",
      '{"merchant_code":"a"',
      "a=1&a=2",
      '{"transaction_code":{}}',
    ]) {
      expect(await postText("INR", text)).toBe(REFUSAL_TEXTS["118"]);
    }
  });
});

describe("the transaction log", () => {
  test("survives a kill, an incomplete line and a restart, with duplicates, settlement and numbers intact", async () => {
    const logPath = join(folder, "kill.jsonl");
    const first = await startSimulator({ logPath, settleMs: 400, declines: 0.5 });
    const one = clientTo(first.url);
    const codes = Array.from({ length: 40 }, (_, index) => `KEPT-${index}`);
    const sent = await Promise.all(codes.map((code) => submit(one, orderOf(code))));
    expect(new Set(sent.map(({ outcome }) => outcome.kind))).toEqual(new Set(["accepted"]));
    await first.kill();
    one.close();
    appendFileSync(logPath, '{"seq":41,"at":17000');

    const second = await startSimulator({ logPath, settleMs: 400, declines: 0.5 });
    const two = clientTo(second.url);
    expect((await submit(two, orderOf("KEPT-7"))).outcome.kind).toBe("duplicate");
    expect((await submit(two, orderOf("NEW-1"))).outcome.kind).toBe("accepted");
    await expect
      .poll(async () => {
        const { settled, failed } = await second.summary();
        return settled + failed;
      })
      .toBe(41);

    const lines = await second.log();
    const accepted = lines.filter(({ event }) => event === "accepted");
    expect(new Set(accepted.map(({ transaction_no }) => transaction_no)).size).toBe(41);
    expect(accepted.every(({ transaction_no }) => /^WD\d+$/.test(transaction_no ?? ""))).toBe(true);
    for (const { transaction_code, fate } of accepted) {
      const ends = lines.filter(
        (line) => line.transaction_code === transaction_code && line.event === fate,
      );
      expect(ends).toHaveLength(1);
    }
    const summary = await second.summary();
    expect(summary).toMatchObject({ requests: 42, accepted: 41, duplicates: 1, paid_twice: [] });
    expect(summary.sums["INR"]?.accepted).toBe("4120.5");
    expect(summary.failed).toBeGreaterThan(5);
    two.close();
    expect(await second.stop()).toBe(0);
    expect(readFileSync(logPath, "utf8")).not.toContain("11133322");
  });

  test("records the concurrent requests in service, and the queries without a line (I13)", async () => {
    const slow = await startSimulator({ faults: [{ fault: "slow", delay_ms: 600 }] });
    const client = clientTo(slow.url);
    await Promise.all(["A", "B", "C", "D"].map((code) => submit(client, orderOf(code))));
    await Promise.all([client.status("INR", "A"), client.status("INR", "B")]);
    await submit(client, orderOf("LAST"));
    await expect.poll(async () => (await slow.summary()).settled).toBe(5);
    const lines = await slow.log();
    expect(Math.max(...lines.map((line) => line.at_once))).toBe(4);
    expect(lines.reduce((sum, line) => sum + line.questions, 0)).toBe(2);
    client.close();
    await slow.stop();
  });

  test("shows a code that was paid twice: race, and a gateway that forgets (F53, F55)", async () => {
    const racy = await startSimulator({
      faults: [
        { fault: "race", code: "RACE" },
        { fault: "forget", code: "FORGOTTEN" },
      ],
    });
    const client = clientTo(racy.url);
    for (const code of ["RACE", "RACE", "FORGOTTEN", "FORGOTTEN", "ONCE", "ONCE"]) {
      await submit(client, orderOf(code));
    }
    expect((await client.status("INR", "FORGOTTEN")).answer.kind).toBe("not_found");
    expect((await racy.summary()).paid_twice).toEqual(["RACE", "FORGOTTEN"]);
    client.close();
    await racy.stop();
  });

  test("refuses a burned code forever and never finds it (F52)", async () => {
    await simulator.setFaults([{ fault: "burn", code: "BURNED" }]);
    const client = clientTo(simulator.url);
    expect((await submit(client, orderOf("BURNED"))).outcome).toMatchObject({ code: "112" });
    expect((await submit(client, orderOf("BURNED"))).outcome.kind).toBe("duplicate");
    expect((await client.status("INR", "BURNED")).answer.kind).toBe("not_found");
    await simulator.setFaults([]);
    client.close();
  });
});

describe("faults by seed", () => {
  const struck = async (seed: number, order: readonly number[]) => {
    const process = await startSimulator({ seed, faults: [{ fault: "code_113", rate: 0.4 }] });
    const client = clientTo(process.url);
    const outcomes = new Map<number, string>();
    for (const index of order) {
      const kinds = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        kinds.push((await submit(client, orderOf(`SEED-${index}`))).outcome.kind);
      }
      outcomes.set(index, kinds.join(" "));
    }
    client.close();
    await process.stop();
    return order.toSorted((a, b) => a - b).map((index) => outcomes.get(index));
  };

  test("are the same in any order of requests, and differ with another seed", async () => {
    const forward = Array.from({ length: 30 }, (_, index) => index);
    const once = await struck(1, forward);
    expect(await struck(1, forward.toReversed())).toEqual(once);
    expect(await struck(2, forward)).not.toEqual(once);
    const first = once.filter((kinds) => kinds?.startsWith("deferred")).length;
    expect(first).toBeGreaterThan(4);
    expect(first).toBeLessThan(22);
  });

  test("follow the selectors: times, first, after, amount, name, bank code", async () => {
    await simulator.setFaults([
      { fault: "code_113", code: "TIMES-*", times: 2 },
      { fault: "code_116", code: "AFTER-*", after: 1 },
      { fault: "code_121", amount: "13.00" },
      { fault: "code_119", name: "POOR" },
      { fault: "code_121", bank_code: "WRONG" },
    ]);
    const client = clientTo(simulator.url);
    const codes = async (code: string, changes = {}) => {
      const seen: string[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const { outcome, evidence } = await submit(client, orderOf(code, changes));
        seen.push(evidence.code ?? outcome.kind);
      }
      return seen;
    };
    expect(await codes("TIMES-1")).toEqual(["113", "113", "accepted"]);
    expect(await codes("TIMES-2")).toEqual(["113", "113", "accepted"]);
    expect(await codes("AFTER-1")).toEqual(["accepted", "116", "116"]);
    const money = { currency: "INR", minor: 1300n, minorDigits: 2 };
    expect(await codes("AMOUNT-1", { money })).toEqual(["121", "121", "121"]);
    const details = { ...orderOf("").details, account_name: "A poor man" };
    expect(await codes("NAME-1", { details })).toEqual(["119", "119", "119"]);
    const wrong = { ...orderOf("").details, bank_code: "WRONG" };
    expect(await codes("BANK-1", { details: wrong })).toEqual(["121", "121", "121"]);
    expect((await codes("BANK-2"))[0]).toBe("accepted");
    await simulator.setFaults([]);
    client.close();
  });

  test("lists all wrong options together, each with its valid values and the found one", () => {
    const wrong = { port: "x", declines: "7", "settle-ms": "-1", zone: "IST", seed: "1.5" };
    expect(() => readOptions(wrong)).toThrow(
      [
        "Options of the simulator:",
        '  --port must be a port from 0 to 65535 (found "x")',
        '  --seed must be a whole number (found "1.5")',
        '  --settle-ms must be a number of milliseconds (found "-1")',
        '  --declines must be a share from 0 to 1 (found "7")',
        '  --zone must be GMT 05:30 or GMT+05:30 (found "IST")',
      ].join("\n"),
    );
  });

  test("refuses a rules file with an unknown fault or a wrong field, with its name", async () => {
    await expect(startSimulator({ faults: [{ fault: "no_such" }] })).rejects.toThrow(
      "unknown fault no_such; payrun simulator --list-faults prints all faults",
    );
    await expect(startSimulator({ faults: [{ fault: "slow", rates: 1 }] })).rejects.toThrow(
      "rates",
    );
  });
});

describe("callbacks (docs/reference/gateway.md section 8)", () => {
  const received: { body: unknown; code: string }[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      const body = JSON.parse(text);
      received.push({ body, code: request.url?.slice(1) ?? "" });
      response.end("success");
    });
  });
  let address = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => receiver.close());

  // biome-ignore format: the table is easier to read in columns
  const CALLBACKS: readonly (readonly [fault: string | null, expected: readonly (string | null)[]])[] = [
    [null,                    ["completed 100.50"]],
    ["callback_late",         ["completed 100.50"]],
    ["callback_repeated",     ["completed 100.50", "completed 100.50", "completed 100.50"]],
    ["callback_reordered",    ["completed 100.50", "pending 100.50"]],
    ["callback_forged",       [null]],
    ["callback_mismatched",   [null]],
    ["callback_lost",         []],
    ["callback_garbage",      [null]],
    ["callback_wrong_amount", ["completed 200.50"]],
    ["callback_name_value",   ["completed 100.50"]],
  ];

  test("arrive as each fault specifies", async () => {
    const faults = CALLBACKS.flatMap(([fault]) =>
      fault ? [{ fault, code: fault, delay_ms: 150 }] : [],
    );
    await simulator.setFaults(faults);
    const client = clientTo(simulator.url);
    for (const [fault] of CALLBACKS) {
      const code = fault ?? "clean";
      const order = orderOf(code, { callbackUrl: `${address}/${code}` });
      expect((await submit(client, order)).outcome.kind).toBe("accepted");
    }
    const total = CALLBACKS.flatMap(([, expected]) => expected).length;
    await expect.poll(() => received.length).toBe(total);
    await new Promise((resolve) => setTimeout(resolve, 300));

    for (const [fault, expected] of CALLBACKS) {
      const code = fault ?? "clean";
      const told = received
        .filter((callback) => callback.code === code)
        .map(({ body }) => openCallback(body, keyring))
        .map((hint) => hint && `${hint.state} ${hint.amount}`);
      expect({ code, told }).toEqual({ code, told: expected });
    }
    await simulator.setFaults([]);
    client.close();
  });
});
