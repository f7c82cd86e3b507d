import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { readConfig } from "#app/config.ts";
import { telemetrySettings } from "#app/open-telemetry.ts";

/** The packages of OpenTelemetry that a process loads when it opens its telemetry. */
function loadedWith(env: Readonly<Record<string, string>>): readonly string[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith("@opentelemetry/")) loaded.add(name);
      return next(name, context);
    } });
    const { readConfig } = await import("#app/config.ts");
    const { createLog } = await import("#base/log.ts");
    const { openTelemetry } = await import("#app/open-telemetry.ts");
    await import("#app/wiring.ts");
    const telemetry = await openTelemetry(readConfig(), createLog("silent"));
    console.log(JSON.stringify([...loaded]));
    await telemetry.close();`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { encoding: "utf8", env: { PATH: process.env["PATH"], ...env } },
  );
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as readonly string[];
}

test("loads no package of OpenTelemetry unless an endpoint is set", () => {
  expect(loadedWith({})).toEqual([]);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  expect(loadedWith({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toEqual([]);
  expect(loadedWith(endpoint)).toContain("@opentelemetry/sdk-trace");
});

test("reads the variables of the OpenTelemetry specification", () => {
  const settings = telemetrySettings(
    readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc,x-tenant=pay",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=live",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    }),
  );
  expect(settings).toMatchObject({
    headers: { authorization: "Bearer abc", "x-tenant": "pay" },
    attributes: { "deployment.environment.name": "live" },
    protocol: "http/protobuf",
    serviceName: "payrun",
    sampler: "traceidratio",
    followsParent: true,
    ratio: 0.25,
    metricIntervalMs: 60_000,
  });
  expect(telemetrySettings(readConfig({}))).toBeNull();
});

test.each([
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /must be one of http\/protobuf, http\/json/],
  ["OTEL_TRACES_SAMPLER", "sometimes", /must be one of always_on, always_off/],
  [
    "OTEL_EXPORTER_OTLP_HEADERS",
    "authorization=100%",
    /^ {2}OTEL_EXPORTER_OTLP_HEADERS must be name=value,name=value with % written as %25 \(the value is not shown/m,
  ],
  [
    "OTEL_RESOURCE_ATTRIBUTES",
    "share=5%,site=a",
    /OTEL_RESOURCE_ATTRIBUTES must be name=value,name=value with % written as %25/,
  ],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.example:4318", /without verified TLS/],
])("refuses %s=%s", (name, value, words) => {
  expect(() => readConfig({ [name]: value })).toThrow(words);
});
