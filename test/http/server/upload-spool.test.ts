/**
 * Uploads are on the server's disk while they are read: one person cannot fill it for the others.
 */
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { deleteStaleUploads, spoolUpload, type SpoolUse } from "#http/server/upload-spool.ts";
import { scratch } from "../../support/servers/payrun.ts";

const KIB = 1024;
function scene() {
  const folder = scratch();
  const use: SpoolUse = new Map();
  const inUse = () => [...use.values()].reduce((sum, each) => sum + each, 0);
  const send = (actor: string, kib: number) =>
    spoolUpload(Readable.from(Array.from({ length: kib }, () => Buffer.alloc(KIB))), folder, {
      bytesMax: 1_000 * KIB,
      actor,
      use,
      freeBytes: async () => 100 * KIB - inUse(),
    });
  return { send, use, left: () => readdirSync(join(folder, "uploads")) };
}

test("limits one person's uploads to half of the free disk, so another person's still fit", async () => {
  const { send, use, left } = scene();
  await send("user:a", 30);
  await expect(send("user:a", 30)).rejects.toMatchObject({
    code: "disk_full",
    status: 507,
    message: expect.stringContaining("half of the free disk space"),
  });
  expect(use).toEqual(new Map([["user:a", 30 * KIB]]));
  expect(left()).toHaveLength(1);
  expect((await send("user:b", 50)).bytes).toBe(50 * KIB);
});

test("frees the space of a read upload once", async () => {
  const { send, use, left } = scene();
  const first = await send("user:a", 40);
  await first.remove();
  await first.remove();
  expect([use.size, left()]).toEqual([0, []]);
  expect((await send("user:a", 50)).bytes).toBe(50 * KIB);
});

test("counts concurrent parts of files together", async () => {
  const { send, use } = scene();
  const sent = await Promise.allSettled([1, 2, 3, 4].map(() => send("user:a", 20)));
  expect(sent.filter(({ status }) => status === "fulfilled").length).toBeLessThanOrEqual(2);
  expect([...use.values()].every((bytes) => bytes <= 50 * KIB)).toBe(true);
});

test("deletes uploads that an ended process left behind, and none of a running server", async () => {
  const folder = scratch();
  const uploads = join(folder, "uploads");
  mkdirSync(uploads);
  const id = "0f1e2d3c-4b5a-4978-8a9b-0c1d2e3f4a5b";
  const file = (name: string, hoursOld = 0) => {
    const at = Date.now() / 1_000 - hoursOld * 3_600;
    writeFileSync(join(uploads, name), "rows");
    utimesSync(join(uploads, name), at, at);
    return name;
  };
  const kept = [
    file(`${hostname()}.${process.ppid}.${id}`, 48),
    file(`other-machine.4711.${id}`, 1),
  ];
  // No process has this number.
  file(`${hostname()}.4194305.${id}`);
  file(`${hostname()}.${process.pid}.${id}`);
  file(`other-machine.4712.${id}`, 48);
  await deleteStaleUploads(folder);
  expect(readdirSync(uploads).toSorted()).toEqual(kept.toSorted());
});
