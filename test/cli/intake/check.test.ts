import { execFile, execFileSync } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFile, ROOT, runHere } from "../../support/servers/payrun.ts";

const sample = (name: string) => join(ROOT, "samples", `${name}.csv`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-"));
});
afterAll(() => rm(folder, { recursive: true }));

const check = (args: readonly string[]) => runHere(["check", ...args]);

/** The real command with this standard input. */
function checkPiped(input: Buffer): Promise<{ code: number; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(join(ROOT, "payrun"), ["check", "-"], { cwd: folder }, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
    child.stdin?.end(input);
  });
}

const json = async (...args: readonly string[]) =>
  JSON.parse((await check([...args, "--json"])).stdout);

test("exits with 0 and exact totals for a clean file", async () => {
  const { code, stdout, stderr } = await check([sample("inr")]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/INR +5 +1,24,47,503\.45\n/);
});

test("exits with 3 for a file with problems and groups them by correction", async () => {
  const { code, stdout } = await check([sample("mistakes"), "--amounts", "plain"]);
  expect(code).toBe(3);
  expect(stdout).toMatch(
    /2 × The amount is not written as a plain amount\. \[amount_separators\]\n +lines 3, 4, found 1,234\.56; expected a plain amount such as 1234\.56\n/,
  );
  expect(stdout).toMatch(/rows must be corrected before payment\.\n$/);
});

test.each(["10.00", "0"])("reports one row in the singular: %s", async (amount) => {
  const { path } = makeFile(folder, [{ amount }]);
  const { stdout } = await check([path]);
  expect(stdout).toMatch(/: 1 row, UTF-8/);
  expect(stdout).toMatch(
    /\n(Every row can be paid|1 of 1 row must be corrected before payment)\.\n$/,
  );
});

test("uses the layouts of the configured merchants, and states the assumed layout otherwise", async () => {
  const entry = { api_key: "k", api_secret: "s", payout_code: "W1" };
  const merchants = join(folder, "merchants.json");
  await writeFile(
    merchants,
    JSON.stringify([
      { ...entry, merchant_code: "I1", currencies: ["INR"], payout_layout: "json" },
      { ...entry, merchant_code: "B1", currencies: ["BRL"] },
    ]),
  );
  const { path } = makeFile(folder, [{ name: "Asha & Sons" }]);
  const here = (env: Record<string, string>) => runHere(["check", path], env);
  const documentHere = async (env: Record<string, string>) =>
    JSON.parse((await runHere(["check", path, "--json"], env)).stdout);

  const plain = await here({});
  expect(plain.code).toBe(3);
  expect(plain.stdout).toMatch(/\nAssumed layout: name=value; no merchants are configured\n/);
  const own = await here({ MERCHANTS_FILE: merchants });
  expect(own.code).toBe(0);
  expect(own.stdout).toMatch(
    /\nAssumed layout: name=value; json for INR \(payout_layout of merchant I1\)\n/,
  );
  expect((await documentHere({ MERCHANTS_FILE: merchants })).layouts).toEqual({
    default: "name=value",
    escaping: "none",
    merchants: [{ merchant_code: "I1", currencies: ["INR"], layout: "json" }],
  });
  const escaped = await here({ GATEWAY_ESCAPING: "percent" });
  expect(escaped.code).toBe(0);
  expect(escaped.stdout).toContain("Assumed layout: name=value, percent-escaped; no merchants");
  const wrong = await here({ MERCHANTS_FILE: join(folder, "none.json") });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("MERCHANTS_FILE")]);
});

test("exits with 3 for a file that is refused as a whole and says why", async () => {
  const { code, stdout } = await check([sample("ugly/unbalanced-quote")]);
  expect(code).toBe(3);
  expect(stdout).toContain("The quoted cell starting on line 3 is not closed correctly.");
  const document = await json(sample("ugly/unbalanced-quote"));
  expect(document).toMatchObject({
    rows: 0,
    totals: {},
    problems: [{ code: "quote_unbalanced", line: 3 }],
  });
});

test("prints one document with the documented fields for --json", async () => {
  const document = await json(sample("ugly/windows-1252"));
  expect(document).toMatchObject({
    file: sample("ugly/windows-1252"),
    rows: 2,
    rejected: 0,
    warnings: 0,
    totals: { BRL: "439.90" },
    format: {
      encoding: "Windows-1252",
      delimiter: ",",
      columns: expect.arrayContaining(["user_id"]),
    },
    problems_total: 1,
  });
  expect(Object.keys(document.problems[0])).toEqual([
    "code",
    "severity",
    "line",
    "column",
    "found",
    "expected",
    "correction",
    "message",
  ]);
});

test("calculates exact totals without rejected rows", async () => {
  const { rows, rejected, totals } = await json(sample("mistakes"), "--amounts", "plain");
  expect({ rows, rejected }).toEqual({ rows: 98, rejected: 69 });
  expect(totals).toMatchObject({ THB: "177.00", IDR: "571000.00" });
});

test("counts problems beyond the number that is listed", async () => {
  const header = "user_id,currency_code,transaction_amount,account_name\n";
  const file = join(folder, "many.csv");
  await writeFile(file, header + "U,TRY,ten,Ayse\n".repeat(6_000));
  const document = await json(file);
  expect(document.problems_total).toBe(12_000);
  expect(document.problems).toHaveLength(10_000);
  const { stdout } = await check([file]);
  expect(stdout).toContain("lines 2, 3, 4, 5, 6 and 5995 more");
  expect(stdout.split("\n").length).toBeLessThan(20);
});

test("reads standard input as -", async () => {
  const { code, stdout } = await checkPiped(await readFile(sample("jpy")));
  expect(code).toBe(0);
  expect(stdout).toContain("standard input: 3 rows");
});

test("sets the file's amount style with --amounts", async () => {
  expect((await check([sample("ugly/semicolon-sep")])).code).toBe(3);
  expect((await check([sample("ugly/semicolon-sep"), "--amounts", "1.234,56"])).code).toBe(0);
  const wrong = await check([sample("inr"), "--amounts", "1_234"]);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("1.234,56");
});

describe("--rejects", () => {
  const rejectsOf = async (file: string, ...options: readonly string[]) => {
    const out = join(folder, "rejects.csv");
    const { code } = await check([file, ...options, "--rejects", out]);
    const text = await readFile(out, "utf8");
    const rows: string[][] = parse(text, { relax_column_count: true });
    return { code, text, rows };
  };

  test("writes the refused rows with their original columns, line, reason and hint", async () => {
    const { code, rows } = await rejectsOf(sample("ugly/quoted-lines"));
    expect(code).toBe(3);
    expect(rows[0]?.slice(-4)).toEqual(["bank_name", "line", "reason", "hint"]);
    expect(rows.slice(1).map((row) => row.slice(-3, -1))).toEqual([
      ["2", "account_name: control_character; bank_name: control_character"],
      ["8", "transaction_amount: amount_negative"],
    ]);
    expect(rows[1]?.[3]).toBe("Nurul\r\nHuda");
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining(".tmp"));
  });

  test("F87 writes no formula that a spreadsheet would run", async () => {
    const { rows } = await rejectsOf(sample("mistakes"), "--amounts", "plain");
    const cells = rows.flat();
    expect(cells.filter((cell) => /^[=+\-@\t\r\0]/.test(cell))).toEqual([]);
    expect(cells).toContain("'@SUM(A1)");
    expect(cells).toContain("'=Asha");
  });

  test("can be corrected and checked again without doubts about its own columns", async () => {
    const out = join(folder, "again.csv");
    await check([sample("ugly/quoted-lines"), "--rejects", out]);
    const repaired = (await readFile(out, "utf8"))
      .replace("'-3", "3")
      .replaceAll(/\r?\n(?=Huda|Berhad)/g, " ");
    const file = join(folder, "repaired.csv");
    await writeFile(file, repaired);
    const { code, rows } = await rejectsOf(file);
    expect(code).toBe(0);
    expect(rows[0]?.filter((name) => name === "reason")).toHaveLength(1);
  });

  test("F10 leaves no file when the input breaks in the middle", async () => {
    const out = join(folder, "none.csv");
    expect((await check([sample("ugly/unbalanced-quote"), "--rejects", out])).code).toBe(3);
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining("none.csv"));
  });

  test("never replaces a pipe or a device", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const { code, stderr } = await check([
      sample("mistakes"),
      "--amounts",
      "plain",
      "--rejects",
      pipe,
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("(this is a pipe or a device; specify a regular file)"),
    ]);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  test.each(["a file", "nothing"])("never replaces a link to %s", async (to) => {
    const link = join(folder, `link to ${to}`);
    await writeFile(join(folder, "a file"), "");
    await symlink(join(folder, to), link);
    const { code, stderr } = await check([
      sample("mistakes"),
      "--amounts",
      "plain",
      "--rejects",
      link,
    ]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("(this is a symbolic link; specify the actual file"),
    ]);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  test("never replaces the checked file", async () => {
    const file = join(folder, "own.csv");
    await writeFile(file, await readFile(sample("jpy")));
    const { code, stderr } = await check([file, "--rejects", file]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "is the file being checked. Choose another name. No file was written.",
    );
    expect(await readFile(file)).toEqual(await readFile(sample("jpy")));
  });

  test.each([
    ["in a missing folder", "no/such/out.csv", "the folder does not exist"],
    ["that is a folder", ".", "this is a folder; specify a file"],
  ])("reports an unusable path %s and leaves no file there", async (_what, out, why) => {
    const { code, stderr } = await check([sample("jpy"), "--rejects", join(folder, out)]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot be written (${why})`)]);
    for (const at of [folder, join(folder, "..")]) {
      expect(await readdir(at)).not.toContainEqual(expect.stringMatching(/\.tmp$/));
    }
  });
});

test("prevents a file name from forging or hiding lines", async () => {
  const forged = join(folder, "a.csv: 1 rows\n\nEvery row can be paid.\u001b[8m.csv");
  const missing = await check([forged]);
  await writeFile(forged, await readFile(sample("jpy")));
  const { code, stdout, stderr } = await check([forged]);
  expect(code).toBe(0);
  for (const text of [stdout, stderr, missing.stderr]) {
    expect(text).not.toMatch(/^Every row can be paid\.\S/m);
    expect(text).not.toContain("\u001b[8m");
  }
  expect(stdout + stderr).toContain("rows\\u{a}");
});

test("reports a name that is not a readable file, without a stack", async () => {
  const missing = await check([join(folder, "nothing.csv")]);
  expect(missing.code).toBe(4);
  expect(missing.stderr).toMatch(/nothing\.csv: file not found\n$/);
  const directory = await check([folder]);
  expect(directory.code).toBe(2);
  expect(directory.stderr).toMatch(/this is a folder/);
  expect(missing.stderr + directory.stderr).not.toMatch(/ at /);
});
