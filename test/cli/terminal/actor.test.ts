import { expect, test } from "vitest";
import { currentActor } from "#cli/terminal/output.ts";

test("identifies a user without a name on this machine by number", () => {
  const nameless = () => {
    throw new Error("uv_os_get_passwd returned ENOENT (no such file or directory)");
  };
  expect(currentActor(nameless)).toBe(`cli:uid-${process.getuid?.()}`);
});
