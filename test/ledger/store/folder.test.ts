import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FolderError, makeFolder, whyNotWritable } from "#ledger/store/folder.ts";
import { runPayrun, scratch } from "../../support/servers/payrun.ts";

test("F28 distinguishes why a folder cannot hold a file from other errors", () => {
  const fault = (code: string) => Object.assign(new Error(code), { code });
  expect(whyNotWritable(fault("ENOSPC"))).toBe("the disk is full");
  expect(whyNotWritable(fault("EROFS"))).toBe("the file system is read-only");
  expect(whyNotWritable(fault("ECONNRESET"))).toBeNull();
});

describe("the data folder", () => {
  test("is created with its parents, and may already exist", async () => {
    const folder = join(scratch(), "a", "b", "c");
    await Promise.all([makeFolder(folder), makeFolder(folder)]);
    await makeFolder(folder);
    expect(statSync(folder).isDirectory()).toBe(true);
    expect(statSync(join(folder, "..")).mode & 0o066).toBe(0);
  });

  test("may be a link to a folder, but not a dangling one", async () => {
    const place = scratch();
    mkdirSync(join(place, "real"));
    symlinkSync(join(place, "real"), join(place, "link"));
    symlinkSync(join(place, "gone"), join(place, "dangling"));
    await makeFolder(join(place, "link", "inner"));
    await expect(makeFolder(join(place, "dangling", "inner"))).rejects.toThrow(FolderError);
  });

  test("is refused with one sentence and exit code 2 when it is a file or below one", async () => {
    const file = join(scratch(), "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "below")]) {
      const ended = await runPayrun(["batch", "list"], { PAYRUN_DATA: path });
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toMatch(
        /PAYRUN_DATA .*file.* cannot be used as a folder: .* is a file\. Set/,
      );
    }
  });

  test("is refused where no folder can be created, without endless retries", async () => {
    for (const command of [
      ["batch", "list"],
      ["demo", "--once"],
    ]) {
      const ended = await runPayrun(command, { PAYRUN_DATA: "/proc/payrun/data" });
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toMatch(/PAYRUN_DATA \/proc.* cannot be used as a folder: /);
    }
  });
});
