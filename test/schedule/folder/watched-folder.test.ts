/** A folder for incoming files: which are read, which are refused, and which are moved. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openFoldersIn } from "#schedule/folder/watched-folder.ts";
import { type ArrivedFile, type Inbox, UnreadableFile } from "#schedule/folder/inbox.ts";
import { scratch } from "../../support/servers/payrun.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = scratch();
  folder = join(root, "salaries");
  mkdirSync(folder);
});
const put = (name: string, text = "a,b\n1,2\n") => writeFileSync(join(folder, name), text);

async function inbox(): Promise<Inbox> {
  const opened = await openFoldersIn(root)("salaries");
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}
async function looked(): Promise<readonly ArrivedFile[]> {
  const files = await (await inbox()).list();
  if (!files.ok) throw new Error(files.error);
  return files.value;
}
async function only(): Promise<ArrivedFile> {
  const [file] = await looked();
  if (!file) throw new Error("no file is there");
  return file;
}
async function textOf(file: ArrivedFile): Promise<string> {
  let text = "";
  for await (const piece of (await inbox()).open(file)) text += Buffer.from(piece).toString();
  return text;
}

describe("no folder", () => {
  test("without a configured root", async () => {
    expect(await openFoldersIn(undefined)("salaries")).toEqual({
      ok: false,
      error: "WATCH_FOLDER is not set, so no folder is being watched",
    });
  });

  test("with nothing, a file or a link in its place", async () => {
    writeFileSync(join(root, "file"), "");
    symlinkSync(folder, join(root, "link"));
    const open = openFoldersIn(root);
    expect(await open("nothing")).toMatchObject({ error: expect.stringContaining("ENOENT") });
    expect(await open("file")).toMatchObject({ error: "file is not a folder" });
    expect(await open("link")).toMatchObject({ error: "link is not a folder" });
  });
});

test("ignores files that are hidden, not renamed yet or of another type", async () => {
  for (const name of [".hidden.csv", "one.csv.part", "notes.txt", "b.csv", "a.XLSX"]) put(name);
  mkdirSync(join(folder, "folder.csv"));
  expect((await looked()).map(({ name }) => name)).toEqual(["a.XLSX", "b.csv"]);
});

test("detects a file that was appended to, replaced or renamed", async () => {
  put("a.csv");
  const identities = new Set([(await only()).identity]);
  appendFileSync(join(folder, "a.csv"), "3,4\n");
  identities.add((await only()).identity);
  put("other", "a,b\n1,2\n3,5\n");
  renameSync(join(folder, "other"), join(folder, "a.csv"));
  identities.add((await only()).identity);
  renameSync(join(folder, "a.csv"), join(folder, "b.csv"));
  identities.add((await only()).identity);
  expect(identities.size).toBe(4);
});

test("reads the bytes of the file that was seen, or none", async () => {
  put("a.csv", "as it was");
  const seen = await only();
  expect(await textOf(seen)).toBe("as it was");
  put("a.csv", "as it is now");
  await expect(textOf(seen)).rejects.toThrow(UnreadableFile);
});

test("reports a link and reads nothing through it", async () => {
  writeFileSync(join(root, "secret"), "not for them");
  symlinkSync(join(root, "secret"), join(folder, "a.csv"));
  const link = await only();
  expect(link.whyNot).toBe("it is a link or a device, not a file");
  await expect(textOf(link)).rejects.toThrow("a.csv cannot be read (ELOOP).");
});

test("does not find a processed file again, and reports its result", async () => {
  put("a.csv");
  await (await inbox()).moveAway(await only(), "done", "2026-12-31 B1");
  expect(await looked()).toEqual([]);
  expect(readdirSync(join(folder, "done"))).toEqual(["2026-12-31 B1 a.csv"]);
});

test("moves nothing through a link", async () => {
  mkdirSync(join(root, "elsewhere"));
  symlinkSync(join(root, "elsewhere"), join(folder, "done"));
  put("a.csv");
  const file = await only();
  await expect((await inbox()).moveAway(file, "done", "B1")).rejects.toThrow(
    "done is not a folder",
  );
});
