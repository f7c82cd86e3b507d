import { expect, test } from "vitest";
import { runPayrun, scratch } from "../support/payrun.ts";

test("a file that the simulator cannot read or write is named with its option and the cause", async () => {
  const folder = scratch();
  const wrong = async (...words: string[]) => {
    const { code, stderr } = await runPayrun(["simulator", "--port=0", ...words]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await wrong(`--book=${folder}/book.jsonl`, "--faults=none.json")).toMatch(
    /^--faults none\.json: expected a JSON file .*\(ENOENT\)$/m,
  );
  expect(await wrong(`--book=${folder}`)).toMatch(
    /^--book \S+: expected a file that this user may write, .*\(EISDIR\)$/m,
  );
});
