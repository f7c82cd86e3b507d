/**
 * A payer's submission over HTTP: only from this page, in its form, and only while something is
 * needed.
 */
import { afterAll, beforeAll, expect, test } from "vitest";

import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { insertDeposit, type TestDeposit } from "../../support/servers/insert-deposit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, []);
});
afterAll(() => server.close());

const put = (wanted: TestDeposit) => insertDeposit(server.deps, wanted, server.deps.clock.nowMs());
const payable = () =>
  put({
    state: "awaiting_payment",
    destination: { kind: "upi", upiId: "shop.x@bank", qrUrl: null },
    expiresInMs: 900_000,
  });
const get = async (path: string) => server.nobody.get(path);

const formIn = (text: string) => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? "";
const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  server.nobody.send("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
const attempts = async () =>
  Number(
    (
      await server.deps.database
        .selectFrom("deposit_attempts")
        .select(({ fn }) => fn.countAll().as("count"))
        .executeTakeFirstOrThrow()
    ).count,
  );

test("submits nothing when it belongs to another payment's page", async () => {
  const { path } = await payable();
  const other = await payable();
  const reference = "123456789012";
  const form = formIn((await get(`${path}/reference`)).text);
  const foreign = formIn((await get(`${other.path}/reference`)).text);
  expect(form).toMatch(/^[\w-]{43}$/);
  const tries = [
    await post(`${path}/reference`, { reference }),
    await post(`${path}/reference`, { reference, form: foreign }),
    await post(`${path}/reference`, { reference, form }, { "sec-fetch-site": "cross-site" }),
    await server.nobody.post(`${path}/reference`, { reference, form }),
  ];
  for (const { status, text } of tries) {
    expect(status).toBe(422);
    expect(text).toContain("Please send the form again.");
  }
  expect(await attempts()).toBe(0);
});

test("shows a problem next to its field and keeps the entered values", async () => {
  const { path } = await payable();
  const form = formIn((await get(`${path}/reference`)).text);
  const { status, text } = await post(`${path}/reference`, { form, reference: " 12<3 " });
  expect(status).toBe(422);
  expect(text).toContain('<p class="fault" id="reference-fault">Enter the 12-digit UTR.</p>');
  expect(text).toContain('aria-describedby="reference-hint reference-fault" aria-invalid="true"');
  expect(text).toContain('value="12&#60;3"');
  expect(await attempts()).toBe(0);
});

test("accepts no bank outside the list", async () => {
  const banks = [{ code: "kookmin_kr", name: "KB" }];
  const { path } = await put({ state: "awaiting_bank", currency: "KRW", amount: "1000", banks });
  const form = formIn((await get(path)).text);
  const given = { form, bank_code: "other", account_number: "123-456" };
  const { status, text } = await post(`${path}/account`, given);
  expect(status).toBe(422);
  expect(text).toContain("Enter your bank.");
  expect(text).not.toContain("4 to 40 digits.</a>");
  expect(await attempts()).toBe(0);
});

test("redirects to the payment when no submission is needed", async () => {
  const paid = await put({ state: "completed", paid: "1250.50" });
  for (const page of ["account", "reference"]) {
    const { status, headers } = await post(`${paid.path}/${page}`, { reference: "123456789012" });
    expect([status, headers["location"]]).toEqual([303, paid.path]);
  }
  const { status } = await get(`${paid.path}/reference`);
  expect(status).toBe(303);
});
