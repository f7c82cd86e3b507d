/** Names in the scripts of the supported countries, in a real browser. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDashboard, type OpenDashboard } from "../../support/dashboard/open-dashboard.ts";

let app: OpenDashboard;
beforeAll(async () => {
  app = await openDashboard();
});
afterAll(() => app.close());

const NAMES = [
  "আশা রহমান",
  "आशा वर्मा",
  "สมชาย ใจดี",
  "山田太郎",
  "王小明",
  "김민준",
  "Nguyễn Thị Ánh",
];

/** A code point that no font has. */
const UNKNOWN = String.fromCodePoint(0x10_ff_fc);

/**
 * Runs in the page, which has a document. Returns the names with a letter that is drawn like a code
 * point without a font.
 */
const boxedOf = (names: readonly string[]): string => `(() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.font = "32px " + getComputedStyle(document.body).fontFamily;
  const drawn = (text) => {
    context.clearRect(0, 0, 64, 64);
    context.fillText(text, 8, 44);
    return context.getImageData(0, 0, 64, 64).data.join(",");
  };
  const box = drawn(String.fromCodePoint(0x10fffd));
  return ${JSON.stringify(names)}.filter((name) =>
    [...name.replaceAll(/[\\p{M}\\s]/gu, "")].some((letter) => drawn(letter) === box),
  );
})()`;

test("shows names in every script without replacement boxes", async () => {
  const rows = NAMES.map((name, at) => ({ name, account: `6010000000990${at}` }));
  const { id } = await app.batch(rows);
  const { page, open, expectQuiet, close } = await app.visitor(["operator"]);
  await open(`/batches/${id}`);
  for (const name of NAMES) await page.getByRole("link", { name }).first().waitFor();
  expect(await page.evaluate(boxedOf([...NAMES, UNKNOWN]))).toEqual([UNKNOWN]);
  expectQuiet();
  await close();
});
