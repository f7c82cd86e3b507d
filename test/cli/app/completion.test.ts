import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runPayrun } from "../../support/servers/payrun.ts";

/** Completes the last word in bash. */
function complete(script: string, words: readonly string[]): string[] {
  const ask = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _payrun; echo "${COMPREPLY[*]}"';
  const { stdout } = spawnSync("bash", ["-c", `${script}\n${ask}`, "bash", "payrun", ...words]);
  return stdout.toString().trim().split(" ");
}

test("completes commands, subcommands and options in bash", async () => {
  const { stdout: script } = await runPayrun(["completion", "bash"]);
  expect(complete(script, ["ba"])).toEqual(["batch"]);
  expect(complete(script, ["batch", "re"])).toContain("retry-declined");
  expect(complete(script, ["pay", "november.csv", "--to"])).toEqual(["--total"]);
});

test.each(["zsh", "fish"])("prints a script for %s with every command", async (shell) => {
  const { code, stdout } = await runPayrun(["completion", shell]);
  expect(code).toBe(0);
  for (const words of ["request-approval", "--api-key-file"]) expect(stdout).toContain(words);
});

test("names the shells that it supports", async () => {
  const { code, stderr } = await runPayrun(["completion", "tcsh"]);
  expect(code).toBe(2);
  expect(stderr).toContain("bash, zsh, fish");
});
