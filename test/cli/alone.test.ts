/** Whoever runs the commands of a ledger without users, alone with it: what they may do, and the words for the rest. */
import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../support/ledger.ts";
import { FAST, makeFile, merchantsFile, runHere, scratch } from "../support/payrun.ts";

const folder = scratch();
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  env = {
    ...FAST,
    DATABASE_URL: await freshLedger(),
    PAYRUN_DATA: folder,
    GATEWAY_URL: "http://127.0.0.1:9",
    MERCHANTS_FILE: merchantsFile(folder),
  };
  await runHere(["migrate"], env);
});
const payrun = (words: string, more: readonly string[] = []) =>
  runHere([...words.split(" "), ...more], env);

async function brought(amount: string) {
  const { path, totals } = makeFile(folder, [{ amount }]);
  const { stdout } = await payrun("batch create --json", [path]);
  return { id: String(JSON.parse(stdout).batch_id), totals };
}

test("a batch is put off to a later time, and to no sooner one", async () => {
  const { id, totals } = await brought("30.00");
  const at = (time: string) => ["--at", `${time} Asia/Kolkata`];
  expect(await payrun(`batch approve ${id}`, [...totals, ...at("2099-12-31 09:00")])).toMatchObject(
    { code: 0 },
  );
  expect(await payrun(`batch put-off ${id}`, at("2099-11-26 09:00"))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/not later than now planned: 2099-12-31 09:00 .*send-now/),
  });
  expect(await payrun(`batch put-off ${id}`, at("2100-01-04 09:00"))).toMatchObject({ code: 0 });
  expect((await payrun(`batch show ${id}`)).stdout).toContain("goes out at 2100-01-04 09:00");
});
