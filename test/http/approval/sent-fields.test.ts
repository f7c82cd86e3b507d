import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { merchantsFile, scratch } from "../../support/servers/payrun.ts";

let server: TestServer;
let maker: Caller;
let checker: Caller;
const CODES = ["PM1", "PM2"];
beforeAll(async () => {
  const MERCHANTS_FILE = merchantsFile(scratch(), (entry) =>
    entry.currencies.includes("INR") ? { ...entry, payout_codes: CODES } : entry,
  );
  const PUBLIC_URL = "http://127.0.0.1:4711";
  server = await startTestServer({}, undefined, {
    MERCHANTS_FILE,
    PUBLIC_URL,
    CALLBACK_HOSTS: "shop.example,other.example:8443",
  });
  maker = await server.newUser(["uploader"], "Mira Maker");
  checker = await server.newUser(["approver"], "Chen Checker");
});
afterAll(() => server.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,ifsc_code,bank_code,bank_name,payout_code,callback_url";
let account = 50_100_010_000_000;
const row = (amount: string, payoutCode: string, callback: string): string =>
  `U-1,INR,${amount},Asha Verma,${account++},HDFC0000001,HDFC,HDFC Bank,${payoutCode},${callback}`;
async function upload(...rows: string[]): Promise<string> {
  const file = [HEADER, ...rows].join("\n");
  const { json, status } = await maker.post("/api/batches?file_name=pay.csv", file);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.batch.batch_id;
}
const problemsOf = async (id: string): Promise<string[]> => {
  const { json } = await maker.get(`/api/batches/${id}/findings`);
  return json.findings.flatMap(({ example }: { example: { code: string } }) => example.code);
};
interface Found {
  readonly check: string;
  readonly count: number;
  readonly rows: readonly { readonly line: number; readonly own: string | null }[];
}
const foundIn = async (id: string) => {
  const { json } = await checker.get(`/api/batches/${id}/approval`);
  return json.anomalies.found.flatMap(({ check, count, rows }: Found) =>
    check.startsWith("own_") ? [[check, count, rows.map(({ line, own }) => [line, own])]] : [],
  );
};

test.each([
  ["a private http address", "http://10.0.0.5/steal", "callback_not_allowed"],
  ["a host that is not configured", "https://evil.example/x", "callback_not_allowed"],
  ["an allowed host over http", "http://shop.example/x", "callback_not_allowed"],
  ["an allowed host at another port", "https://shop.example:8443/x", "callback_not_allowed"],
  ["a host with an allowed ending", "https://evil-shop.example/x", "callback_not_allowed"],
  [
    "an allowed host as a user name",
    "https://shop.example@evil.example/x",
    "callback_with_password",
  ],
])("refuses a callback to %s", async (_what, callback, code) => {
  const id = await upload(row("10.00", "", callback));
  expect(await problemsOf(id)).toContain(code);
});

test("names the setting for a callback host that is not allowed", async () => {
  const id = await upload(row("11.00", "", "https://evil.example/y"));
  const { json } = await maker.get(`/api/batches/${id}/findings`);
  expect(JSON.stringify(json.findings)).toContain("CALLBACK_HOSTS");
});

test("accepts callbacks to listed hosts and to the host of PUBLIC_URL", async () => {
  const good = [
    "https://shop.example/a",
    "https://other.example:8443/b",
    "http://127.0.0.1:4711/c",
  ];
  const id = await upload(...good.map((url, at) => row(`12.0${at}`, "", url)));
  expect((await maker.get(`/api/batches/${id}`)).json).toMatchObject({ rejected: 0, rows: 3 });
});

test("refuses another merchant's payout code and an unknown one", async () => {
  const [other] = server.deps.deps.keyring.all.filter(
    ({ currencies }) => !currencies.includes("INR"),
  );
  const id = await upload(row("13.00", other?.payoutCode ?? "", ""));
  expect(await problemsOf(id)).toContain("payout_code_not_allowed");
  expect(await problemsOf(await upload(row("13.01", "PM9", "")))).toContain(
    "payout_code_not_allowed",
  );
});

test("shows an approver each callback URL and payout code from the file", async () => {
  const usual = server.deps.deps.keyring.forCurrency("INR")?.payoutCode ?? "";
  const id = await upload(
    row("20.00", "PM1", ""),
    row("21.00", usual, "https://shop.example/1"),
    row("22.00", "PM2", "https://shop.example/2"),
    row("23.00", "", ""),
  );
  expect(await foundIn(id)).toEqual([
    [
      "own_callback",
      2,
      [
        [4, "https://shop.example/2"],
        [3, "https://shop.example/1"],
      ],
    ],
    [
      "own_payout_code",
      2,
      [
        [4, "PM2"],
        [2, "PM1"],
      ],
    ],
  ]);
  const sheet = (await checker.get(`/api/batches/${id}/approval`)).json;
  expect(sheet.anomalies.checks.join()).toContain("payout code from the file");
  const [lane] = sheet.sent;
  expect(lane).toMatchObject({ payout_code: usual, callback_url: expect.stringContaining("4711") });
});

test("shows a small row with its own callback even among 60 larger ones", async () => {
  const many = Array.from({ length: 60 }, (_, at) =>
    row(`${500 + at}.00`, "", "https://shop.example/a"),
  );
  const id = await upload(...many, row("1.00", "", "https://shop.example/hidden"));
  const [[, count, rows]] = await foundIn(id);
  expect(count).toBe(61);
  expect(rows.map(([, own]: [number, string]) => own)).toContain("https://shop.example/hidden");
});

test("lists every sent field of each row, page by page, with accounts masked", async () => {
  const id = await upload(
    row("30.00", "PM1", ""),
    row("31.00", "", "https://shop.example/3"),
    row("32.00", "", ""),
  );
  const first = (await checker.get(`/api/batches/${id}/sent?limit=2`)).json;
  const second = (await checker.get(`/api/batches/${id}/sent?limit=2&cursor=${first.next}`)).json;
  const rows = [...first.items, ...second.items];
  expect(rows.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(rows.map((each) => [each.payout_code, each.own_payout_code, each.own_callback])).toEqual([
    ["PM1", true, false],
    [expect.stringMatching(/^WTEST/), false, true],
    [expect.stringMatching(/^WTEST/), false, false],
  ]);
  expect(rows[1].callback_url).toBe("https://shop.example/3");
  const shown = Object.fromEntries(
    rows[0].details.map(({ field, text }: { field: string; text: string }) => [field, text]),
  );
  expect(shown).toMatchObject({ user_id: "U-1", ifsc_code: "HDFC0000001", bank_code: "HDFC" });
  expect(shown["bank_account_number"]).toMatch(/^•+\d{4}$/);
  expect(second.next).toBeNull();
});

test("shows the payout code and callback URL on the payout page", async () => {
  const id = await upload(row("40.00", "PM2", "https://shop.example/4"));
  const { json } = await checker.get(`/api/batches/${id}/sent`);
  const page = (await server.as("viewer").get(`/api/payouts/${json.items[0].code}`)).json;
  expect(page.payout_code).toEqual({ text: "PM2", own: true });
  expect(page.callback_url).toEqual({ text: "https://shop.example/4", own: true });
});
