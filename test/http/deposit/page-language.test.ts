/** The language of the payment page, and the merchant that it names. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Destination } from "#deposit/outcome.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { scratch } from "../../support/servers/payrun.ts";
import { insertDeposit, type TestDeposit } from "../../support/servers/insert-deposit.ts";

const UPI: Destination = { kind: "upi", upiId: "shop.x@bank", qrUrl: null };
const ASKED: TestDeposit = { state: "awaiting_payment", destination: UPI, expiresInMs: 900_000 };
const BANK: TestDeposit = { state: "awaiting_bank", currency: "KRW", amount: "50000" };
/** The first merchant, who has a display name. The second has none. */
const [NAMED, UNNAMED] = DEMO_MERCHANTS.map(({ merchant_code }) => merchant_code);

let server: TestServer;
beforeAll(async () => {
  const [first, ...others] = DEMO_MERCHANTS;
  const file = join(scratch(), "merchants.json");
  const merchants = [{ ...first, display_name: "Asha <Books> Inc." }, ...others];
  writeFileSync(file, JSON.stringify(merchants));
  server = await startTestServer({}, [], { MERCHANTS_FILE: file });
});
afterAll(() => server.close());

const put = (wanted: TestDeposit) => insertDeposit(server.deps, wanted, server.deps.clock.nowMs());
const get = async (path: string, headers = {}) => server.nobody.get(path, { headers });
const titleOf = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];

describe("the language of the page", () => {
  const isEnglish = (text: string) => text.includes('<html lang="en">');

  test("is the browser's: Hindi", async () => {
    const { path } = await put(ASKED);
    const { text } = await get(path, { "accept-language": "hi-IN,en;q=0.5" });
    expect(text).toContain('<html lang="hi">');
    expect(titleOf(text)).toBe("INR 1,250.50 का भुगतान करें");
    expect(text).toContain("कृपया ठीक इतनी ही राशि का भुगतान करें, और केवल एक बार।");
    expect(text).toContain('यह अनुवाद एक मशीन ने किया है। <a href="?lang=en" lang="en"');
    expect(text).toContain(`href="${path}/reference"`);
  });

  test("is the payer's choice on every page and in every form: Japanese", async () => {
    const { path } = await put(BANK);
    const chosen = await get(`${path}?lang=ja`, { "accept-language": "hi" });
    expect(chosen.text).toContain('<html lang="ja">');
    expect(titleOf(chosen.text)).toBe("どの口座からお支払いになりますか？");
    expect(chosen.text).toContain(`action="${path}/account?lang=ja"`);
    expect(chosen.headers["set-cookie"]).toBeUndefined();

    const form = /name="form" value="([^"]+)"/.exec(chosen.text)?.[1] ?? "";
    const refused = await server.nobody.send("POST", `${path}/account?lang=ja`, {
      body: new URLSearchParams({ form, bank_code: "KB", account_number: "x" }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("4～40桁の口座番号を入力してください。");
    const back = await get(`${path}/account?lang=ja`);
    expect([back.status, back.headers["location"]]).toEqual([303, `${path}?lang=ja`]);
    expect((await get("/pay/x?lang=ja")).text).toContain("このリンクは無効です");
  });

  test("is in its entity tag, and in the address that the script requests", async () => {
    const { path } = await put(ASKED);
    const english = await get(path);
    const korean = await get(`${path}?lang=ko`);
    expect(korean.headers["etag"]).not.toBe(english.headers["etag"]);
    expect(korean.text).toContain(`data-look="${path}?lang=ko"`);
    expect(english.text).toContain(`data-look="${path}"`);
  });

  test("is English without a note when none is known, whatever was tried", async () => {
    const { path } = await put(ASKED);
    for (const query of [
      "",
      "?lang=",
      "?lang=xx",
      "?lang=__proto__",
      "?lang=%00hi",
      "?lang[]=hi",
    ]) {
      const { status, text } = await get(`${path}${query}`, { "accept-language": "xx" });
      expect([query, status, isEnglish(text)]).toEqual([query, 200, true]);
      expect(text).not.toContain('class="translation"');
      expect(text).toContain(`data-look="${path}"`);
    }
  });
});

describe("the merchant", () => {
  const pageOf = async (wanted: TestDeposit, merchantCode: string | undefined, query = "") => {
    const { path } = await put({ ...wanted, ...(merchantCode && { merchantCode }) });
    return (await get(`${path}${query}`)).text;
  };

  test("is named where the payer is asked to pay", async () => {
    for (const wanted of [ASKED, BANK]) {
      expect(await pageOf(wanted, NAMED)).toContain("You are paying Asha &#60;Books&#62; Inc.</p>");
    }
    expect(await pageOf(ASKED, NAMED, "?lang=vi")).toContain(
      "Bạn đang thanh toán cho Asha &#60;Books&#62; Inc.</p>",
    );
  });

  test.each(["requested", "in_doubt", "expired", "declined", "manual"] as const)(
    "is not named where the payer must not pay: %s",
    async (state) => {
      expect(await pageOf({ state, destination: UPI }, NAMED)).not.toContain("Asha");
    },
  );

  test("is not named without a display name, or when it is no longer configured", async () => {
    for (const code of [UNNAMED, "FORMER"]) {
      expect(await pageOf(ASKED, code)).not.toContain('class="merchant"');
    }
  });
});
