import { expect, test } from "vitest";
import { nullIfUnavailable } from "../../../proof/chaos/observer-queries.ts";
import { freePort } from "../../support/servers/ports.ts";
import { query } from "../../support/servers/postgres.ts";

test("returns null for an unavailable PostgreSQL, but still throws for a wrong query", async () => {
  const nobody = `postgres://127.0.0.1:${await freePort()}/ledger`;
  expect(await nullIfUnavailable(query(nobody, "select 1"))).toBeNull();

  const refusals = ["57P03", "42P01"].map((code) => Object.assign(new Error(code), { code }));
  const heard = await Promise.all(
    refusals.map((refusal) => nullIfUnavailable(Promise.reject(refusal))),
  );
  expect(heard).toEqual([null, null]);

  const wrong = Object.assign(new Error("no such column"), { code: "42703" });
  await expect(nullIfUnavailable(Promise.reject(wrong))).rejects.toBe(wrong);
});
