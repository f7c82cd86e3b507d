import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../support/ledger.ts";
import { makeFile, runHere, scratch, withoutGateway } from "../support/servers/payrun.ts";

const folder = scratch();
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  env = withoutGateway(await freshLedger(), folder);
  await runHere(["migrate"], env);
});

test.each([
  [4, "not_found", "batch show BNOTHING --json"],
  [4, "not_found", "batch report BNOTHING --json"],
  [4, "not_found", "batch create /nowhere/file.csv --json"],
  [2, "usage", "batch show --json"],
])(
  "prints a refusal as one line of JSON, exit code %i, code %s: %s",
  async (exitCode, code, words) => {
    const ended = await runHere(words.split(" "), env);
    expect(ended.code).toBe(exitCode);
    const { error } = JSON.parse(ended.stdout);
    expect(ended.stdout.trimEnd()).not.toContain("\n");
    expect(error).toEqual({ code, exit_code: exitCode, message: expect.any(String) });
    expect(ended.stderr).toContain(error.message);
  },
);

test("prints words only without --json, or when the answer has already begun", async () => {
  const { stdout, stderr } = await runHere(["batch", "show", "BNOTHING"], env);
  expect([stdout, stderr]).toEqual(["", expect.stringContaining("BNOTHING")]);
  const { path } = makeFile(folder, [{ amount: "5.00" }, { amount: "0.00" }]);
  const created = await runHere(["batch", "create", path, "--request-approval", "--json"], env);
  expect(created.code).not.toBe(0);
  expect(JSON.parse(created.stdout)).toMatchObject({
    batch_id: expect.any(String),
    approval_requested: false,
  });
});

test("includes a refused request for approval in the same document as the file's result", async () => {
  const { path } = makeFile(folder, [{ amount: "6.00" }]);
  const ended = await runHere(["batch", "create", path, "--request-approval", "--json"], env);
  expect(ended.code).toBe(3);
  const { error, ...document } = JSON.parse(ended.stdout);
  expect(document).toMatchObject({ state: "awaiting_approval", approval_requested: false });
  expect(error).toMatchObject({ code: "problems", exit_code: 3 });
  expect(error.message).toContain("There are no users yet");
  expect(ended.stderr).toContain(error.message);
});

test.each([
  ["schedule create --every day --time 09:00 --zone UTC --name wages --list B1 --lead", "--lead"],
  ["batch cancel B1 --reason why --server", "--server"],
  ["batch cancel B1 --reason why --api-key-file", "--api-key-file"],
  ["serve --port", "--port"],
  ["pay file.csv --total INR=1 --total", "--total"],
])("refuses an option without a value, such as an unset variable: %s ''", async (words, flag) => {
  for (const nothing of ["", " "]) {
    const { code, stderr } = await runHere([...words.split(" "), nothing], env);
    expect([code, stderr]).toEqual([
      2,
      `${flag} is empty. Specify a value or omit the option. No action was taken.\n`,
    ]);
  }
});
