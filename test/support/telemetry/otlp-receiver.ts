import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { atExit } from "../servers/at-exit.ts";
import type { Env } from "../servers/payrun.ts";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

/** A span as OTLP/JSON carries it. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

export interface ReceivedSpan extends Omit<SentSpan, "attributes"> {
  readonly facts: Readonly<Record<string, string | number | undefined>>;
}

export interface OtlpReceiver {
  readonly url: string;
  /** Settings that make payrun export to this receiver. */
  readonly env: Env;
  /** All bodies, as they arrived. */
  bodies(): string;
  spans(): readonly ReceivedSpan[];
  /** The names of all metrics. */
  metrics(): readonly string[];
  close(): Promise<void>;
}

interface Received {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/**
 * Receives spans and metrics over OTLP/JSON.
 * @param keep takes each body, in addition to `bodies`.
 */
export async function startOtlpReceiver(keep?: (body: string) => void): Promise<OtlpReceiver> {
  const received: string[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    if (keep) keep(body);
    else received.push(body);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atExit(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const documents = () => received.map((body) => JSON.parse(body) as Received);
  return {
    url,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    },
    bodies: () => received.join("\n"),
    spans: () =>
      documents()
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(({ attributes, ...span }) => ({ ...span, facts: factsOf(attributes) })),
    metrics: () => [
      ...new Set(
        documents()
          .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
          .flatMap(({ scopeMetrics }) => scopeMetrics)
          .flatMap(({ metrics }) => metrics)
          .map(({ name }) => name),
      ),
    ],
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const factsOf = (attributes: readonly Attribute[]): ReceivedSpan["facts"] =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );
