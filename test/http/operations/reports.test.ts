/** Reports by day and currency, as JSON and as files. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { LAST_DAY, REPORTED, reportedLedger } from "../../support/reports.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer"]);
  await reportedLedger(server.deps.config.DATABASE_URL ?? "");
});
afterAll(() => server.close());

const get = async (path: string) => server.as("viewer").get(`/api/reports/${path}`);
const json = async (path: string) => (await get(path)).json;
const PERIOD = `from=${REPORTED}&to=${LAST_DAY}`;

describe("results", () => {
  test("add up exactly, each currency by itself, and show returns separately", async () => {
    expect(await json(`results?${PERIOD}`)).toEqual({
      from: REPORTED,
      to: LAST_DAY,
      starts_at: "2026-03-01T00:00:00.000Z",
      ends_at: "2026-03-05T00:00:00.000Z",
      zone: "UTC",
      zones: ["Asia/Kolkata", "UTC"],
      lanes: ["M1/INR", "M1/VND"],
      items: [
        {
          day: REPORTED,
          currency: "INR",
          settled: 3,
          settled_amount: "90071992547409921.30",
          declined: 1,
          declined_amount: "7.00",
          returned: 0,
          returned_amount: "0.00",
          success_percent: "75.00",
        },
        {
          day: REPORTED,
          currency: "VND",
          settled: 2,
          settled_amount: "5500",
          declined: 0,
          declined_amount: "0",
          returned: 0,
          returned_amount: "0",
          success_percent: "100.00",
        },
        {
          day: LAST_DAY,
          currency: "VND",
          settled: 0,
          settled_amount: "0",
          declined: 0,
          declined_amount: "0",
          returned: 1,
          returned_amount: "5000",
          success_percent: null,
        },
      ],
      period: [
        {
          currency: "INR",
          settled: 3,
          settled_amount: "90071992547409921.30",
          declined: 1,
          declined_amount: "7.00",
          returned: 0,
          returned_amount: "0.00",
          success_percent: "75.00",
        },
        {
          currency: "VND",
          settled: 2,
          settled_amount: "5500",
          declined: 0,
          declined_amount: "0",
          returned: 1,
          returned_amount: "5000",
          success_percent: "100.00",
        },
      ],
    });
  });

  test("use the zone of the lane, or another zone in use", async () => {
    const days = (report: { items: { day: string; settled: number }[] }) =>
      report.items.map(({ day, settled }) => [day, settled]);
    const lane = await json(`results?${PERIOD}&lane=M1%2FINR`);
    expect([lane.zone, days(lane)]).toEqual([
      "Asia/Kolkata",
      [
        [REPORTED, 2],
        ["2026-03-02", 1],
      ],
    ]);
    const inUtc = await json(`results?${PERIOD}&currency=inr&zone=UTC`);
    expect([inUtc.zone, days(inUtc)]).toEqual(["UTC", [[REPORTED, 3]]]);
    expect((await get(`results?${PERIOD}&zone=Asia/Tokyo`)).json).toMatchObject({
      code: "invalid_request",
      places: [
        {
          place: "query.zone",
          message: "is not the time zone of a lane. Use one of: Asia/Kolkata, UTC",
        },
      ],
    });
  });

  test("cover the last 30 days by default, including today", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { from, to } = await json("results");
    expect(to).toBe(today);
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
    expect((await json("results?days=1")).from).toBe(today);
  });

  test.each([
    ["days=0", "days"],
    ["days=367", "days"],
    ["days=7&from=2026-01-01&to=2026-01-02", "days"],
    ["from=2026-01-02&to=2026-01-01", "to"],
    ["from=2026-01-01", "to"],
    ["from=2025-01-01&to=2026-01-02", "to"],
    ["from=0100-01-01&to=0100-01-02", "from"],
    ["zone=%00", "zone"],
  ])("refuse ?%s", async (query, place) => {
    const refused = await get(`results?${query}`);
    expect(refused.status).toBe(400);
    expect(refused.json.places[0].place).toBe(`query.${place}`);
  });
});

test("fees are exact in the decimals of the finest fee, next to payouts without one", async () => {
  const { items, period } = await json(`fees?${PERIOD}`);
  expect(items).toEqual([
    { day: REPORTED, currency: "INR", amount: "1.625", payouts: 2, without_fee: 1 },
    { day: REPORTED, currency: "VND", amount: "0", payouts: 0, without_fee: 2 },
  ]);
  expect(period[0]).toEqual({ currency: "INR", amount: "1.625", payouts: 2, without_fee: 1 });
});

test("times are upper bounds of the time from approval to settlement", async () => {
  const { items } = await json(`times?${PERIOD}`);
  expect(items).toEqual([
    { day: REPORTED, currency: "INR", payouts: 3, median_seconds: 60, p95_seconds: 57600 },
    { day: REPORTED, currency: "VND", payouts: 2, median_seconds: 5, p95_seconds: 3600 },
  ]);
});

test("unresolved breaks are counted by class and age", async () => {
  const { items, count } = await json("breaks");
  expect(count).toBe(5);
  const ages = { within_1_day: 1, within_7_days: 1, within_30_days: 1, older: 1 };
  expect(items).toMatchObject([
    { class: "amount", class_text: "The statement shows a different amount.", count: 4, ...ages },
    { class: "fee", count: 1, older: 1 },
  ]);
  expect((await json("breaks?currency=VND")).items).toMatchObject([{ class: "fee", count: 1 }]);
  expect((await json("breaks?lane=M1%2FUSD")).items).toEqual([]);
});

describe("files", () => {
  test("have one row for each day and currency", async () => {
    const { text, headers } = await get(`results/file?${PERIOD}&currency=INR&zone=UTC`);
    expect(headers["content-disposition"]).toBe('attachment; filename="report-results.csv"');
    expect(text.replace("\ufeff", "").trimEnd().split("\n")).toEqual([
      "day,zone,currency,settled,settled_amount,declined,declined_amount,returned,returned_amount,success_percent",
      `${REPORTED},UTC,INR,3,90071992547409921.30,1,7.00,0,0.00,75.00`,
    ]);
    expect((await get(`fees/file?${PERIOD}&format=xlsx`)).headers["content-type"]).toContain(
      "spreadsheetml",
    );
  });

  test("of breaks take no period, because they are counted as of now", async () => {
    expect((await get("breaks/file")).text).toContain("amount,4,1,1,1,1,");
    expect((await get("breaks/file?days=7")).json.places[0].place).toBe("query.days");
    expect((await get("other/file")).json.places[0].place).toBe("params.report");
  });
});
