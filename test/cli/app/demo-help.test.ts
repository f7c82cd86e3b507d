import { expect, test } from "vitest";
import { runPayrun } from "../../support/servers/payrun.ts";

test("says which variables the demo reads, and what each start changes", async () => {
  const { code, stdout } = await runPayrun(["demo", "--help"]);
  expect(code).toBe(0);
  for (const name of ["PORT", "PAYRUN_DATA", "LOG_LEVEL"])
    expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S`, "m"));
  expect(stdout).toContain("Each start sets new passwords for the demo users");
});
