import { expect, test, vi } from "vitest";
import { actor } from "#cli/output.ts";

vi.mock("node:os", async (original) => ({
  ...(await original<typeof import("node:os")>()),
  userInfo: () => {
    throw new Error("uv_os_get_passwd returned ENOENT (no such file or directory)");
  },
}));

test("who has no name on this machine is told by the number", () => {
  expect(actor()).toBe(`cli:uid-${process.getuid?.()}`);
});
