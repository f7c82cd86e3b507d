import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPMetricExporter as JsonMetrics } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter as ProtobufMetrics } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraces } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufTraces } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { randomUUID } from "node:crypto";
import { histogramProducer } from "#app/telemetry/metric-producer.ts";
import { spanRecorder, SubjectIds } from "#app/telemetry/recorder.ts";
import { systemClock } from "#base/clock.ts";
import type { Log } from "#base/log.ts";
import { recordSpansWith } from "#base/telemetry/spans.ts";
import { version } from "#base/version.ts";

/** The export of spans and metrics, for as long as the process runs. */
export interface Telemetry {
  /** Exports the remaining spans and metrics, or gives up after a few seconds. */
  close(): Promise<void>;
}

export interface TelemetrySettings {
  /** Base URL of the receiver. `/v1/traces` and `/v1/metrics` are appended. */
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly protocol: "http/protobuf" | "http/json";
  readonly serviceName: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: "always_on" | "always_off" | "traceidratio";
  /** True: a request with a `traceparent` header is recorded if its caller is. */
  readonly followsParent: boolean;
  readonly ratio: number;
  readonly metricIntervalMs: number;
}

/** Maximum number of spans that wait to be exported: a few seconds of sending. */
const WAITING_SPANS_MAX = 16_384;
/** Milliseconds to wait at the end of the process for the last export. */
const LAST_EXPORT_MS = 3_000;

/**
 * Starts to export spans and metrics over OTLP. open-telemetry.ts loads this file only if it is
 * needed.
 */
export function startExport(settings: TelemetrySettings, log: Log): Telemetry {
  // Messages of the exporters name the endpoint and the failure, but no exported value.
  const warn = (message: string) =>
    log.warn({ err: message.slice(0, 300) }, "telemetry not exported");
  const silent = () => {};
  const logger = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });

  const resource = defaultResource().merge(
    resourceFromAttributes({
      ...settings.attributes,
      "service.name": settings.serviceName,
      "service.version": version,
      "service.instance.id": randomUUID(),
    }),
  );
  const to = (path: string) => ({
    url: `${settings.endpoint.replace(/\/+$/, "")}/v1/${path}`,
    headers: settings.headers,
  });
  const isJson = settings.protocol === "http/json";

  const ids = new SubjectIds();
  const rootSampler = rootSamplerOf(settings);
  const traces = isJson ? new JsonTraces(to("traces")) : new ProtobufTraces(to("traces"));
  const processor = new BatchSpanProcessor({ exporter: traces, maxQueueSize: WAITING_SPANS_MAX });
  const provider = new TracerProvider({
    resource,
    idGenerator: ids,
    sampler: settings.followsParent ? new ParentBasedSampler({ root: rootSampler }) : rootSampler,
    spanProcessors: [processor],
  });

  const metrics = isJson ? new JsonMetrics(to("metrics")) : new ProtobufMetrics(to("metrics"));
  const reader = new PeriodicExportingMetricReader({
    exporter: metrics,
    exportIntervalMillis: settings.metricIntervalMs,
    exportTimeoutMillis: Math.min(settings.metricIntervalMs, LAST_EXPORT_MS),
    metricProducers: [histogramProducer(resource, systemClock.nowMs)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });

  recordSpansWith(
    spanRecorder({ tracer: provider.getTracer("payrun", version), ids, rootSampler }),
  );
  return {
    async close() {
      recordSpansWith(null);
      const ended = Promise.allSettled([provider.shutdown(), meters.shutdown()]);
      await Promise.race([ended, systemClock.sleep(LAST_EXPORT_MS)]);
      diag.disable();
    },
  };
}

function rootSamplerOf({ sampler, ratio }: TelemetrySettings): Sampler {
  if (sampler === "always_off") return new AlwaysOffSampler();
  return sampler === "always_on" ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(ratio);
}
