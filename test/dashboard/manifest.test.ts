import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const DASHBOARD = join(import.meta.dirname, "../../dashboard");
const ADDRESS = "/assets/payrun.webmanifest";

interface Icon {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
}

/** Width and height of a PNG image in pixels, from its header. */
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;

test("lets browsers install the dashboard, with icons of the sizes that they need", () => {
  expect(readFileSync(join(DASHBOARD, "index.html"), "utf8")).toContain(
    `<link rel="manifest" href="${ADDRESS}" />`,
  );
  const manifest = JSON.parse(readFileSync(join(DASHBOARD, "public", ADDRESS), "utf8")) as {
    readonly icons: readonly Icon[];
  };
  expect(manifest).toMatchObject({
    name: "payrun",
    start_url: "/",
    scope: "/",
    display: "standalone",
  });
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512"]);
  for (const { src, sizes, type } of manifest.icons) {
    expect(type).toBe("image/png");
    expect(sizeOf(readFileSync(join(DASHBOARD, "public", src)))).toBe(sizes);
  }
});
