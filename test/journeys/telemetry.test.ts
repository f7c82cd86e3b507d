import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DURATIONS } from "#base/telemetry/histograms.ts";
import { ENGINES, startSetup, type Setup } from "../support/journey.ts";
import {
  documentOf,
  type Ended,
  makeFile,
  merchantsFile,
  runPayrun,
  scratch,
} from "../support/servers/payrun.ts";
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
} from "../support/telemetry/otlp-receiver.ts";

/** Values that must appear in no span, metric or log line. */
const PLANTED = {
  name: "Planted Beneficiary",
  account: "73169500000042",
  code: "73169500000043",
  ifsc: "PLAN0731695",
  apiSecret: "cGxhbnRlZC1zZWNyZXQtcGxhbnRlZA%3D%3D",
};

describe.each(ENGINES)("telemetry of a batch, with the queue in %s", (engine) => {
  let setup: Setup;
  let receiver: OtlpReceiver;
  let paid: Ended;
  let spans: readonly ReceivedSpan[];

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    const merchants = merchantsFile(scratch(), (merchant) => ({
      ...merchant,
      api_secret: PLANTED.apiSecret,
    }));
    setup = await startSetup(engine, { merchants, faults: [{ fault: "code_121", code: "R*" }] });
    const env = { ...setup.env, ...receiver.env, MERCHANTS_FILE: merchants, LOG_LEVEL: "debug" };
    const { name, account, ifsc, code } = PLANTED;
    const rows = [{ name, account, ifsc, code }, { name }, { name, code: "REFUSED-1" }];
    const { path, totals } = makeFile(setup.folder, rows);
    paid = await runPayrun(["pay", path, "--json", ...totals], env);
    spans = receiver.spans();
  });
  afterAll(async () => {
    await setup.stop();
    await receiver.close();
  });

  const named = (name: string) => spans.filter((span) => span.name === name);

  test("links each payout, from the request to its settlement, to the upload of its batch", () => {
    const { batch_id: batchId, states } = documentOf(paid);
    expect(states).toEqual({ settled: 2, declined: 1 });

    const [upload] = named("store batch");
    expect(upload?.facts).toMatchObject({ "payrun.batch.id": batchId });
    const ofBatch = spans.filter(({ traceId }) => traceId === upload?.traceId);
    expect(ofBatch.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["store batch", "approve batch", "finish batch"]),
    );

    const sent = named("send payout");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ traceId }) => traceId)).size).toBe(3);
    const jobs = named("process payrun-submit");
    const settled = named("query payout").filter(
      ({ facts }) => facts["payrun.outcome"] === "settle",
    );
    expect(settled).toHaveLength(2);
    const links = (span?: ReceivedSpan) => span?.links?.map(({ spanId }) => spanId) ?? [];
    for (const span of settled) {
      const first = sent.find(({ traceId }) => traceId === span.traceId);
      expect(span.parentSpanId).toBe(first?.spanId);
      expect(links(first)).toContain(upload?.spanId);
      expect(jobs.map(({ spanId }) => spanId)).toEqual(
        expect.arrayContaining(links(first).filter((id) => id !== upload?.spanId)),
      );
    }
    expect(jobs.every((job) => links(job).includes(upload?.spanId ?? ""))).toBe(true);
    const requests = named("gateway payout");
    expect(requests).toHaveLength(sent.length);
    expect(new Set(requests.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set(sent.map(({ spanId }) => spanId)),
    );
  });

  test("exports a histogram for requests to the gateway, jobs and ledger statements", () => {
    const expected = [DURATIONS.gateway, DURATIONS.job, DURATIONS.statement].map(
      ({ name }) => `payrun.${name.replace("_seconds", "").replaceAll("_", ".")}`,
    );
    expect(receiver.metrics()).toEqual(expect.arrayContaining(expected));
  });

  test("contains no planted name, account or secret", () => {
    expect(spans.length).toBeGreaterThan(15);
    const logs = paid.stderr;
    const exported = receiver.bodies();
    for (const [what, value] of Object.entries(PLANTED)) {
      expect(exported.includes(value), `${what} in a span or metric`).toBe(false);
    }
    const { code: _logged, ...secrets } = PLANTED;
    for (const [what, value] of Object.entries(secrets)) {
      expect(logs.includes(value), `${what} in a log line`).toBe(false);
    }
  });
});
