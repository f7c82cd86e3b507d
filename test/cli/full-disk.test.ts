import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { expect, test } from "vitest";
import { runPayrun } from "../support/servers/payrun.ts";

/** Mounting a disk needs root. */
const isRoot = process.platform === "linux" && process.getuid?.() === 0;

test.runIf(isRoot)(
  "F28 says on a first start with a full disk where, how much space is needed and what to do",
  async () => {
    // The PostgreSQL account must be able to enter it, which the folders of the tests do not allow.
    const disk = mkdtempSync("/dev/shm/payrun-full-disk-");
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=711", "tmpfs", disk]);
    try {
      const { code, stderr } = await runPayrun(["batch", "list"], { PAYRUN_DATA: disk });
      expect(code).toBe(9);
      expect(stderr).toMatch(
        /^The database could not be created in .*: the disk is full\. A new database needs about \d+ MB, and \d+ MB are free\./,
      );
      expect(stderr).toMatch(/PAYRUN_DATA.*\n.*DATABASE_URL/);
      expect(stderr).not.toMatch(/initdb|child process/);
    } finally {
      execFileSync("umount", ["--lazy", disk]);
      rmdirSync(disk);
    }
  },
  120_000,
);
