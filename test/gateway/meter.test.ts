import { describe, expect, test } from "vitest";
import type { PayoutClient } from "#gateway/client.ts";
import { trafficCounterOf, TrafficMeter, type MeteredTraffic, withMeter } from "#gateway/meter.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import { TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";
import { scriptedGateway } from "../support/flow.ts";

const doubt = (code: string): Outcome => ({ kind: "in_doubt", code, text: "" });
const deferred = (code: string): Outcome => ({ kind: "deferred", code, text: "", stop: null });
const order = {
  transactionCode: "PR1",
  money: { currency: "INR", minor: 100n, minorDigits: 2 },
  details: {},
  payoutCode: null,
  callbackUrl: null,
};

const inLane = (currency: string): string => `ACME/${currency}`;
const sampleOf = ({ samples }: MeteredTraffic) => samples.find(({ lane }) => lane === "ACME/INR");
/** The number of recorded durations. */
const sumOf = (metered: MeteredTraffic): number =>
  (sampleOf(metered)?.latency ?? []).reduce((sum, count) => sum + count, 0);

const unclear = (transactionCode: string): StatusAnswer => ({
  kind: "found",
  record: {
    transactionCode,
    state: "unclear",
    says: "paid",
    amount: "1",
    currency: "INR",
    gatewayNumber: null,
    fee: null,
  },
});

describe("class of an answer", () => {
  test.each<[string, Outcome]>([
    ["accepted", { kind: "accepted" }],
    ["duplicate", { kind: "duplicate" }],
    ["refused_row", { kind: "declined", code: "121", text: "" }],
    ["refused_system", deferred("119")],
    ["refused_system", deferred("http_401")],
    ["not_sent", deferred("not_sent")],
    ["not_sent", deferred("no_merchant")],
    ["ambiguous", doubt("no_answer")],
    ["ambiguous", doubt("http_502")],
    ["ambiguous", doubt("131")],
    ["ambiguous", doubt("1990")],
    ["ambiguous", doubt("19x")],
    ["ambiguous", doubt("answer_unreadable")],
    ["ambiguous", doubt("conflict_of_keys")],
    ["unmapped", doubt("199")],
    ["unmapped", doubt("9")],
    ["unmapped", doubt("unknown_message")],
    ["unmapped", doubt("conflict")],
    ["unmapped", doubt("unreadable")],
  ])("%s", (expected, outcome) => {
    expect(trafficCounterOf(outcome)).toBe(expected);
  });
});

describe("the meter", () => {
  test("counts each exchange once and resets when read", async () => {
    const told = scriptedGateway();
    const trafficMeter = new TrafficMeter();
    const gateway = withMeter(told, trafficMeter, inLane);
    await gateway.submitPayout(order);
    told.submit = () => deferred("not_sent");
    await gateway.submitPayout(order);
    await gateway.status("INR", "PR1");
    told.answer = (code) => unclear(code);
    await gateway.status("INR", "PR1");
    const read = (metered_: ReturnType<TrafficMeter["drain"]>) =>
      Object.fromEntries(
        TRAFFIC_COUNTERS.map((name, place) => [name, sampleOf(metered_)?.counts[place] ?? 0]),
      );
    const taken = trafficMeter.drain();
    expect(read(taken)).toMatchObject({
      accepted: 1,
      not_sent: 1,
      status_queries: 2,
      unreadable_status: 1,
      duplicate: 0,
      unmapped: 0,
    });
    // A request that was not sent took no time at the gateway.
    expect(sumOf(taken)).toBe(1);
    expect(read(trafficMeter.drain())).toMatchObject({ accepted: 0, status_queries: 0 });
    trafficMeter.restore(taken);
    trafficMeter.count("accepted", "ACME/INR");
    expect(read(trafficMeter.drain())).toMatchObject({ accepted: 2, status_queries: 2 });
  });

  test("records payout durations, including refused ones, and drops none that it could not report", async () => {
    const told = scriptedGateway();
    const trafficMeter = new TrafficMeter();
    const gateway = withMeter(told, trafficMeter, inLane);
    told.submit = () => deferred("http_401");
    await gateway.submitPayout(order);
    const taken = trafficMeter.drain();
    expect([sumOf(taken), sumOf(trafficMeter.drain())]).toEqual([1, 0]);
    await gateway.submitPayout(order);
    trafficMeter.restore(taken);
    expect(sumOf(trafficMeter.drain())).toBe(2);
  });

  test("does not count a payout that could not be encoded", async () => {
    const trafficMeter = new TrafficMeter();
    const submitPayout: PayoutClient["submitPayout"] = () =>
      Promise.resolve({ kind: "not_encodable", text: "" });
    const client = { ...scriptedGateway(), submitPayout };
    await withMeter(client, trafficMeter, inLane).submitPayout(order);
    expect(trafficMeter.drain()).toEqual(new TrafficMeter().drain());
  });

  test("keeps the gateway's clock from the last answer with a time", () => {
    const trafficMeter = new TrafficMeter();
    trafficMeter.recordAnswer({ dateOffsetMs: 1_500 });
    trafficMeter.recordAnswer({ dateOffsetMs: null });
    expect(trafficMeter.drain().gatewayOffsetMs).toBe(1_500);
    expect(trafficMeter.drain().gatewayOffsetMs).toBe(1_500);
  });
});
