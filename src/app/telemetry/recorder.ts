import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import {
  type IdGenerator,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
} from "@opentelemetry/sdk-trace";
import { GENERATED_CODE_PATTERN } from "#base/ids.ts";
import type { SpanFacts, SpanOptions, SpanRecorder, Subject } from "#base/telemetry/spans.ts";

/** Name of the instrumentation scope. */
const SCOPE = "payrun";

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * The first span in the trace of a batch or payout. Its ids are derived from the id of the subject,
 * so every process knows them, today and in a week, without storing them.
 */
function firstSpanOf(subject: Subject): Omit<SpanContext, "traceFlags"> {
  const name =
    "transactionCode" in subject
      ? `payrun payout ${subject.transactionCode}`
      : `payrun batch ${subject.batchId}`;
  const digest = createHash("sha256").update(name).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** Generates random ids, except for the first span of a subject. */
export class SubjectIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: Pick<SpanContext, "traceId" | "spanId"> | null = null;

  /** Starts a span with these ids. The tracer asks for the ids while it starts the span. */
  with<T>(ids: Pick<SpanContext, "traceId" | "spanId">, start: () => T): T {
    this.#next = ids;
    try {
      return start();
    } finally {
      this.#next = null;
    }
  }

  generateTraceId(): string {
    return this.#next?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? this.#random.generateSpanId();
  }
}

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/;

function remoteParent(header: string | undefined): SpanContext | null {
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(header ?? "") ?? [];
  if (traceId === "") return null;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

interface RecorderParts {
  readonly tracer: Tracer;
  readonly ids: SubjectIds;
  /** Decides about traces without a parent. It must decide by trace id alone. */
  readonly rootSampler: Sampler;
}

/**
 * Creates the recorder of spans.
 *
 * A trace that lasted as long as a batch would have millions of spans, so each payout has its own,
 * which links to the batch and to the job that sent it.
 */
export function spanRecorder({ tracer, ids, rootSampler }: RecorderParts): SpanRecorder {
  const current = new AsyncLocalStorage<Span>();

  const contextOf = (subject: Subject): SpanContext => {
    const first = firstSpanOf(subject);
    const { decision } = rootSampler.shouldSample(
      ROOT_CONTEXT,
      first.traceId,
      SCOPE,
      SpanKind.INTERNAL,
      {},
      [],
    );
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return {
      ...first,
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
    };
  };
  const linkTo = (subject: Subject): Link => ({ context: contextOf(subject) });
  const below = (parent: SpanContext): Context => trace.setSpanContext(ROOT_CONTEXT, parent);

  function start(options: SpanOptions): Span {
    const { name, kind = "internal", of, isFirst = false, links = [], parent, facts } = options;
    const caller = current.getStore();
    const linked = links.map(linkTo);
    if (of && caller) linked.push({ context: caller.spanContext() });
    const settings = {
      kind: KINDS[kind],
      attributes: { ...factsOf(of), ...facts },
      links: linked,
    };
    if (of && isFirst)
      return ids.with(firstSpanOf(of), () => tracer.startSpan(name, settings, ROOT_CONTEXT));
    if (of) return tracer.startSpan(name, settings, below(contextOf(of)));
    const outer = remoteParent(parent) ?? caller?.spanContext();
    return tracer.startSpan(name, settings, outer ? below(outer) : ROOT_CONTEXT);
  }

  return {
    async run(options, work) {
      const span = start(options);
      // The caller's trace also leads to the trace of the subject.
      if (options.of) current.getStore()?.addLink({ context: span.spanContext() });
      const open = {
        set: (facts: SpanFacts) => void span.setAttributes({ ...facts }),
        link: (subject: Subject) => void span.addLink(linkTo(subject)),
      };
      try {
        return await current.run(span, () => work(open));
      } catch (error) {
        // The message may contain values.
        span.setAttribute("error.type", errorType(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    currentIds() {
      const span = current.getStore();
      if (!span) return null;
      const { traceId, spanId } = span.spanContext();
      return { trace_id: traceId, span_id: spanId };
    },
  };
}

/** A code that the uploader provided may contain anything, so it is not exported. */
const GENERATED_CODE = new RegExp(GENERATED_CODE_PATTERN);

function factsOf(subject: Subject | undefined): SpanFacts {
  if (!subject) return {};
  return {
    ...(subject.batchId !== undefined && { "payrun.batch.id": subject.batchId }),
    ...("transactionCode" in subject &&
      GENERATED_CODE.test(subject.transactionCode) && {
        "payrun.transaction_code": subject.transactionCode,
      }),
  };
}

const errorType = (error: unknown): string => (error instanceof Error ? error.name : "unknown");
