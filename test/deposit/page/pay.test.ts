/** The parts of the payment page that need no server: its texts, its HTML, its QR code. */
import QRCode from "qrcode";
import { describe, expect, test } from "vitest";

import { html } from "#deposit/page/html.ts";
import { money } from "#deposit/page/money.ts";
import { qrPicture, upiLink } from "#deposit/page/qr.ts";

describe("HTML", () => {
  test("escapes text, in attributes as well", () => {
    const evil = `<b a="1" b='2'>&amp;</b>`;
    const { text } = html`<p title="${evil}">${evil}</p>`;
    expect(text.match(/[<>]/g)).toHaveLength(4);
    expect(text.match(/"/g)).toHaveLength(2);
    expect(text).not.toContain("'");
    expect(text).toContain("&#38;amp;");
  });

  test("inserts HTML and lists of HTML unchanged, and an empty text for null", () => {
    const items = ["a", "<"].map((each) => html`<li>${each}</li>`);
    expect(html`<ul>${items}</ul>${null}${undefined}${0}`.text).toBe(
      "<ul><li>a</li><li>&#60;</li></ul>0",
    );
  });
});

test("keeps every digit of an amount and its currency code", () => {
  expect(money({ currency: "INR", amount: "9007199254740993.17" }, "en")).toBe(
    "INR 9,007,199,254,740,993.17",
  );
  expect(money({ currency: "KRW", amount: "50000" }, "en")).toBe("KRW 50,000");
  expect(money({ currency: "MMK", amount: "1000.00" }, "en")).toBe("MMK 1,000.00");
});

test.each([
  ["hi", "INR 12,34,567.50"],
  ["bn", "INR 12,34,567.50"],
  ["my", "INR 1,234,567.50"],
  ["ja", "INR 1,234,567.50"],
  ["pt-BR", "INR 1,234,567.50"],
  ["tr", "INR 1,234,567.50"],
  ["vi", "INR 1,234,567.50"],
])("writes amounts in %s with a decimal point, as in the amount to copy", (language, written) => {
  expect(money({ currency: "INR", amount: "1234567.50" }, language)).toBe(written);
});

describe("QR code", () => {
  test("encodes the payment link, module by module, with its quiet zone", () => {
    const link = upiLink("shop@bank", "1250.50");
    const { modules } = QRCode.create(link, { errorCorrectionLevel: "M" });
    const { text } = qrPicture(link, "label");
    expect(text).toContain(`viewBox="0 0 ${modules.size + 8} ${modules.size + 8}"`);
    const drawn = new Set(
      [...text.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`),
    );
    let dark = 0;
    for (let y = 0; y < modules.size; y++) {
      for (let x = 0; x < modules.size; x++) {
        if (!modules.get(y, x)) continue;
        dark += 1;
        expect(drawn).toContain(`${x + 4} ${y + 4}`);
      }
    }
    expect(drawn.size).toBe(dark);
  });

  test("does not accept additional fields through the gateway's UPI id", () => {
    const link = upiLink("a@b&am=1#x", "10.00");
    expect([...new URL(link).searchParams]).toEqual([
      ["pa", "a@b&am=1#x"],
      ["pn", "a@b&am=1#x"],
      ["am", "10.00"],
      ["cu", "INR"],
    ]);
  });
});
