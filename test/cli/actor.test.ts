import { expect, test } from "vitest";
import { actor } from "#cli/output.ts";

test("who has no name on this machine is told by the number", () => {
  const nameless = () => {
    throw new Error("uv_os_get_passwd returned ENOENT (no such file or directory)");
  };
  expect(actor(nameless)).toBe(`cli:uid-${process.getuid?.()}`);
});
