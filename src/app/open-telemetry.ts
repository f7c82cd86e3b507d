import type { Config } from "#app/config.ts";
import { pairsIn } from "#app/name-value-pairs.ts";
import type { Telemetry, TelemetrySettings } from "#app/telemetry/start.ts";
import type { Log } from "#base/log.ts";

const OFF: Telemetry = { close: async () => {} };

/** Starts OpenTelemetry if an endpoint is set. Otherwise none of its packages is loaded. */
export async function openTelemetry(config: Config, log: Log): Promise<Telemetry> {
  const settings = telemetrySettings(config);
  if (settings === null) return OFF;
  const { startExport } = await import("#app/telemetry/start.ts");
  return startExport(settings, log);
}

/** Returns the settings of the export. Null: it is off. */
export function telemetrySettings(config: Config): TelemetrySettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: isDisabled } = config;
  if (endpoint === undefined || isDisabled) return null;
  const name = config.OTEL_TRACES_SAMPLER;
  const root = name.replace("parentbased_", "");
  return {
    endpoint,
    headers: pairsIn(config.OTEL_EXPORTER_OTLP_HEADERS?.reveal()),
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    serviceName: config.OTEL_SERVICE_NAME,
    attributes: pairsIn(config.OTEL_RESOURCE_ATTRIBUTES),
    sampler: root === "always_off" || root === "traceidratio" ? root : "always_on",
    followsParent: root !== name,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    metricIntervalMs: config.OTEL_METRIC_EXPORT_INTERVAL,
  };
}
