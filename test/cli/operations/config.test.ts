import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPayrun, scratch } from "../../support/servers/payrun.ts";

const linesOf = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/));

test("lists each setting with its source, and hides secrets", async () => {
  const folder = scratch();
  const settings = [
    "PORT=3001",
    "MERCHANT_API_SECRET=hush",
    "HOST=127.0.0.2",
    "AMOUNT_LIMIT=5",
    "OTEL_EXPORTER_OTLP_HEADERS=authorization=hush",
  ];
  writeFileSync(join(folder, ".env"), settings.join("\n"));
  const env = { HOST: "127.0.0.3", DATABASE_URL: "postgres://owner:hush@127.0.0.1/payrun" };
  const { code, stdout, stderr } = await runPayrun(["config", "show"], env, folder);
  expect(code).toBe(0);
  const lines = linesOf(stdout);
  expect(lines).toContainEqual(["PORT", "3001", ".env"]);
  expect(lines).toContainEqual(["HOST", "127.0.0.3", "environment"]);
  expect(lines).toContainEqual(["MERCHANT_API_SECRET", "(hidden)", ".env"]);
  expect(lines).toContainEqual(["OTEL_EXPORTER_OTLP_HEADERS", "(hidden)", ".env"]);
  expect(lines).toContainEqual(["DATABASE_URL", "postgres://…@127.0.0.1/payrun", "environment"]);
  expect(lines).toContainEqual(["GATEWAY_ALLOW_HTTP", "no", "default"]);
  expect(stdout + stderr).not.toContain("hush");
  expect(stderr).toContain(
    "payrun ignores AMOUNT_LIMIT in .env, because it does not recognise this variable.",
  );
});

test("shows the settings and then the invalid ones, with the exit code of a wrong setting", async () => {
  const folder = scratch();
  writeFileSync(join(folder, ".env"), "PORT=many\n");
  const { code, stdout, stderr } = await runPayrun(["config", "show"], {}, folder);
  expect(linesOf(stdout)).toContainEqual(["PORT", "many", ".env"]);
  expect(stderr).toContain("PORT must be");
  expect(code).toBe(2);
});
