/** Permissions and messages for someone who uses the commands on a ledger without users. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshLedger, laneIn } from "../support/ledger.ts";
import { query } from "../support/servers/postgres.ts";
import { makeFile, runHere, scratch, withoutGateway } from "../support/servers/payrun.ts";

const folder = scratch();
let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  url = await freshLedger();
  env = withoutGateway(url, folder);
  await runHere(["migrate"], env);
});
const payrun = (words: string, more: readonly string[] = []) =>
  runHere([...words.split(" "), ...more], env);

async function uploaded(amount: string) {
  const { path, totals } = makeFile(folder, [{ amount }]);
  const { stdout } = await payrun("batch create --json", [path]);
  return { id: String(JSON.parse(stdout).batch_id), totals };
}

test("reschedules a batch to a later time, but not to an earlier one", async () => {
  const { id, totals } = await uploaded("30.00");
  const at = (time: string) => ["--at", `${time} Asia/Kolkata`];
  expect(await payrun(`batch approve ${id}`, [...totals, ...at("2099-12-31 09:00")])).toMatchObject(
    { code: 0 },
  );
  expect(await payrun(`batch reschedule ${id}`, at("2099-11-26 09:00"))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /not later than the scheduled time, 2099-12-31 09:00 .*send it now/,
    ),
  });
  expect(await payrun(`batch reschedule ${id}`, at("2100-01-04 09:00"))).toMatchObject({ code: 0 });
  expect((await payrun(`batch show ${id}`)).stdout).toContain("scheduled for 2100-01-04 09:00");
});

test("does not report a send time that passed before the approval", async () => {
  const { id, totals } = await uploaded("30.01");
  await query(
    url,
    `insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
     values ('${id}', '2026-01-05T03:30:00Z', '2026-01-05T09:00', 'Asia/Kolkata', 24, 'schedule:S1')`,
  );
  const over = "(2026-01-05 09:00 Asia/Kolkata) has passed, so the batch will be sent";
  expect((await payrun(`batch show ${id}`)).stdout).toContain(`${over} as soon as it is approved`);
  const { stdout, stderr } = await runHere(["batch", "approve", id, ...totals], {
    ...env,
    CUT_OFFS: "INR=00:00 UTC",
  });
  expect(stdout).toContain(`approved, the send time ${over} immediately`);
  expect(stderr).not.toContain("2026-01-05 03:30 UTC misses");
});

test("approves an existing send time by name even after it has passed, but no other past time", async () => {
  const { id, totals } = await uploaded("30.02");
  await query(
    url,
    `insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by)
     values ('${id}', '2026-01-05T03:30:00Z', '2026-01-05T09:00', 'Asia/Kolkata', 12, 'schedule:S1')`,
  );
  const approve = (time: string) =>
    payrun(`batch approve ${id}`, [...totals, "--at", `${time} Asia/Kolkata`]);
  expect(await approve("2026-01-05 09:01")).toMatchObject({
    code: 2,
    stderr: "The send time 2026-01-05 09:01 Asia/Kolkata has passed. The batch was not approved.\n",
  });
  expect(await approve("2026-01-05 09:00")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("has passed, so the batch will be sent immediately"),
  });
  const { send } = JSON.parse((await payrun(`batch show ${id} --json`)).stdout);
  expect(send).toMatchObject({ at: "2026-01-05T03:30:00.000Z", expires_hours: 12 });
});

const FORGED = "may.csv\nB7QK2M4N8P  settled\u001b[2J\u009b1A\u202e.csv";
const DRAWN = "may.csv\\u{a}B7QK2M4N8P  settled\\u{1b}[2J\\u{9b}1A\\u{202e}.csv";

test("stores a file whose name would forge lines under an escaped name", async () => {
  const { path } = makeFile(folder, [{ amount: "31.00" }]);
  copyFileSync(path, join(folder, FORGED));
  const { code, stdout } = await payrun("batch create", [join(folder, FORGED)]);
  expect([code, stdout.split("\n")[0]]).toEqual([0, expect.stringMatching(/settled\\u\{1b\}/)]);
  const [kept] = await query(
    url,
    "select file_name as name from payrun.batches where file_name like 'may%'",
  );
  expect(kept).toEqual({ name: DRAWN });
});

test("prevents texts in the ledger from forging lines of output", async () => {
  const { id } = await uploaded("32.00");
  await query(
    url,
    `update payrun.batches set file_name = $$${FORGED}$$, reason = $$${FORGED}$$ where id = '${id}'`,
  );
  await payrun("lane pause all --reason later");
  await query(url, `update payrun.lane_pauses set reason = $$${FORGED}$$`);
  const isRaw = (text: string) => /[^\P{Cc}\n]|\p{Bidi_C}/u.test(text);
  for (const words of ["batch list", `batch show ${id}`, "lane list"]) {
    const { stdout, stderr } = await payrun(words);
    // The list cuts long names.
    const drawn = words === "batch list" ? DRAWN.slice(0, 20) : DRAWN;
    expect([words, isRaw(stdout + stderr), stdout.includes(drawn)]).toEqual([words, false, true]);
    expect(stdout).not.toMatch(/^B7QK2M4N8P/m);
  }
  const { stdout } = await payrun(`batch show ${id} --json`);
  expect([isRaw(stdout), JSON.parse(stdout).file]).toEqual([false, FORGED]);
  await payrun("lane resume all --reason on");
});

test("does not mention send restrictions for a finished batch", async () => {
  const { id } = await uploaded("32.50");
  await payrun("lane pause all --reason later");
  const shown = () => payrun(`batch show ${id}`);
  expect((await shown()).stdout).toMatch(/is stopped: paused by .*: later/);
  expect(await payrun(`batch cancel ${id} --reason unwanted`)).toMatchObject({ code: 0 });
  expect((await shown()).stdout).not.toContain("is stopped");
  await payrun("lane resume all --reason on");
});

test("refuses a name or reason that would forge lines, with a message", async () => {
  const { path } = makeFile(folder, [{ amount: "33.00" }]);
  const said = ["--name", "May\u001b[2J"];
  expect(await payrun("batch create", [path, ...said])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^--name "May\\u\{1b\}\[2J" contains a character that could be used to forge payrun's output\./,
    ),
  });
});

test("explains how to approve when there is no other user", async () => {
  const { id, totals } = await uploaded("34.00");
  const { code, stderr } = await payrun(`batch request-approval ${id}`);
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(`Approve the batch yourself: payrun batch approve ${id} --total`),
  ]);
  expect(await payrun(`batch approve ${id}`, totals)).toMatchObject({ code: 0 });
});

test.each([
  "batch reschedule NOPE --reason later",
  "batch send-now NOPE --reason now",
  "schedule pause NOPE --reason later",
  "schedule resume NOPE --reason on",
  "schedule remove NOPE --reason over",
  "schedule create-batch NOPE 2026-12-31 --reason late",
  "schedule skip NOPE 2026-12-31 --reason late",
])("reports not found: %s", async (words) => {
  const at = words.includes("reschedule") ? ["--at", "2099-12-31 09:00 UTC"] : [];
  expect(await payrun(words, at)).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^There is no (batch|schedule) NOPE\./),
  });
});

test("says that the file is stored and how to continue when pay has neither totals nor a terminal", async () => {
  const { path } = makeFile(folder, [{ amount: "37.00" }]);
  const { code, stderr } = await payrun("pay --no-wait", [path]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/Batch B\w+ is stored but not approved, and no payouts were sent\./);
  expect(stderr).toContain("again with the totals from the source of the file: --total INR=AMOUNT");
});

test("warns about rows that an earlier batch already pays", async () => {
  const rows = ["41.01", "41.02", "41.03", "41.04", "41.05"].map((amount) => ({
    amount,
    name: "Meera Joshi",
    account: "501002223334",
  }));
  const first = makeFile(folder, rows);
  const paid = await payrun("pay --no-wait", [first.path, ...first.totals]);
  expect(paid).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Warning") });
  const again = makeFile(folder, rows.toReversed());
  const repeats =
    /^Warning: 5 × This row has the same beneficiary, currency and amount as line 6 of batch B\w+, uploaded within the last 7 days\. \[paid_lately\]$/m;
  const { code, stderr } = await payrun("pay --no-wait", [again.path, ...again.totals]);
  expect(code).toBe(0);
  expect(stderr).toMatch(repeats);
  const third = makeFile(folder, [...rows.slice(1), ...rows.slice(0, 1)]);
  const created = await payrun("batch create", [third.path]);
  expect(created.stderr).toMatch(/^Warning: 5 × .* \[paid_lately\]$/m);
  expect(stderr).toMatch(
    /^Warning: 100% of the rows pay the same amounts to the same accounts as batch B\w+$/m,
  );
});

test("lets pay change priority and canary of a known file until approval, then says that they are fixed", async () => {
  const { path } = makeFile(folder, [{ amount: "38.00" }]);
  await payrun("pay --no-wait", [path]);
  const choice = ["--no-wait", "--priority", "urgent", "--canary", "1"];
  const paid = await payrun("pay --total INR=38 --json", [path, ...choice]);
  expect(paid.code).toBe(0);
  const { batch_id: id } = JSON.parse(paid.stdout);
  const shown = JSON.parse((await payrun(`batch show ${id} --json`)).stdout);
  expect(shown).toMatchObject({ priority: "urgent", canary: { payouts: 1 } });
  const again = await payrun("pay --no-wait --priority normal --canary 2", [path]);
  expect(again.code).toBe(0);
  expect(again.stderr).toContain(
    "The batch is already approved, so its priority stays urgent. To change it: payrun batch priority B",
  );
  expect(again.stderr).toContain("The batch is already approved, so its canary was not changed.");
});

test("reports an invalid total before storing the file", async () => {
  const { path } = makeFile(folder, [{ amount: "35.00" }]);
  const kept = async () => (await query(url, "select count(*) from payrun.batches"))[0];
  const before = await kept();
  expect(await payrun("pay --total INR", [path])).toMatchObject({
    code: 2,
    stderr: "--total INR: expected CUR=AMOUNT, such as INR=1234.50\n",
  });
  expect(await kept()).toEqual(before);
  const { id } = await uploaded("36.00");
  expect((await payrun(`batch approve ${id} --canary 1 --total INR`)).code).toBe(2);
  expect(JSON.parse((await payrun(`batch show ${id} --json`)).stdout).canary.payouts).toBe(0);
});

test("reports a frozen copy of a ledger in doctor, even without credentials", async () => {
  await payrun("freeze --reason drill");
  const { code, stdout } = await runHere(["doctor"], {
    ...env,
    GATEWAY_URL: "",
    MERCHANTS_FILE: "",
  });
  expect([code, stdout]).toEqual([8, expect.stringMatching(/broken +credentials: /)]);
  expect(stdout).toMatch(/broken +ledger: /);
});

test("ends a pause at the same time on every machine", async () => {
  const pause = (until: string) => payrun("lane pause all --reason later", ["--until", until]);
  for (const vague of [
    "2099",
    "Jan 5 2099",
    "2099-12-31",
    "2099-12-31T09:00",
    "2099-02-30T09:00Z",
  ]) {
    expect(await pause(vague)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /expected a time with a time zone, such as 2026-12-31T09:00:00Z/,
      ),
    });
  }
  expect(await pause("2001-01-01T00:00Z")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("expected a time in the future, such as 2026-12-31T09:00:00Z."),
  });
  for (const exact of [
    "2099-12-31T03:30:00Z",
    "2099-12-31T09:00+05:30",
    "2099-12-31 09:00 Asia/Kolkata",
  ]) {
    expect((await pause(exact)).stdout).toContain("paused until 2099-12-31 03:30 UTC");
  }
  await payrun("lane resume all --reason on");
});

test("accepts a limit only for a configured currency, with no more decimals than it has", async () => {
  const set = async (words: string, crypto = "USDT=tron:6") => {
    const args = `limit set day ${words}`.split(" ");
    return runHere(args, { ...env, CRYPTO_CURRENCIES: crypto });
  };
  const wrong = { code: 2, stderr: expect.stringMatching(/expected .* No changes were made\.$/m) };
  expect(await set("XXX 10")).toMatchObject(wrong);
  expect(await set("KRW 5.001")).toMatchObject(wrong);
  expect(await set("USDT 5.0000001")).toMatchObject(wrong);
  expect((await set("USDT 5.000001")).stdout).toContain("5.000001");
  expect((await set("INR 10.50", "")).stdout).toContain("10.50");
  expect((await payrun("limit remove day USDT")).code).toBe(0);
});

test.each(["USDT-TRC20", "OP", "W".repeat(40)])(
  "requires a known currency for a limit: %s",
  async (currency) => {
    const here = { ...env, CRYPTO_CURRENCIES: `${currency}=tron:6` };
    const limit = (...words: readonly string[]) => runHere(["limit", ...words], here);
    const set = await limit("set", "batch", currency.toLowerCase(), "5.5");
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining(currency) });
    const { limits } = JSON.parse((await limit("list", "--json")).stdout);
    expect(limits).toContainEqual({ scope: "batch", currency, amount: "5.5", hard: true });
    expect((await limit("remove", "batch", currency)).code).toBe(0);
  },
);

test("refuses an invalid rate for a lane", async () => {
  const set = (rate: string) => payrun(`lane set ${laneIn("INR")} --reason slowly --rate ${rate}`);
  expect(await set("0.001/min")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("at least one payout per hour"),
  });
  expect((await set("0.02/min")).stdout).toContain("at most 1.2 payouts per hour");
});
