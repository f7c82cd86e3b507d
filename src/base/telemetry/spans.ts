/** A batch or a payout. Everything that happens to it is recorded in one trace of its own. */
export type Subject =
  | { readonly batchId: string }
  /** `batchId` is known where the work started from the batch. */
  | { readonly transactionCode: string; readonly batchId?: string };

/**
 * Everything that a span may say. Names, accounts, amounts, messages and addresses are absent, so
 * that no span can contain one.
 */
export interface SpanFacts {
  readonly "payrun.batch.id"?: string;
  readonly "payrun.transaction_code"?: string;
  readonly "payrun.lane"?: string;
  readonly "payrun.attempt"?: number;
  readonly "payrun.state"?: string;
  readonly "payrun.outcome"?: string;
  readonly "payrun.gateway.endpoint"?: string;
  readonly "http.request.method"?: string;
  readonly "http.route"?: string;
  readonly "http.response.status_code"?: number;
  readonly "messaging.system"?: string;
  readonly "messaging.operation.type"?: string;
  readonly "messaging.destination.name"?: string;
  readonly "error.type"?: string;
}

export interface SpanOptions {
  /** A fixed name without any value. */
  readonly name: string;
  readonly kind?: "internal" | "server" | "client" | "consumer";
  /** Records the span in the trace of this subject. Default: in the trace of the caller. */
  readonly of?: Subject;
  /** True: this is the first span in the trace of its subject, to which other traces link. */
  readonly isFirst?: boolean;
  /** Links the span to the traces of these subjects. */
  readonly links?: readonly Subject[];
  /** The `traceparent` header of a request, whose trace the span continues. */
  readonly parent?: string | undefined;
  readonly facts?: SpanFacts;
}

/** A span in progress. */
export interface OpenSpan {
  set(facts: SpanFacts): void;
  link(subject: Subject): void;
}

/** Records spans. There is one for each process, and none unless tracing is configured. */
export interface SpanRecorder {
  run<T>(options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** The ids of the current span, for log lines. Null: no span is in progress. */
  currentIds(): { readonly trace_id: string; readonly span_id: string } | null;
}

const NO_SPAN: OpenSpan = { set() {}, link() {} };

let recorder: SpanRecorder | null = null;

/** Sets the recorder of this process. Null: spans are no longer recorded. */
export function recordSpansWith(next: SpanRecorder | null): void {
  recorder = next;
}

/**
 * Runs the work as a span. An error that the work throws marks the span as failed by the name of
 * the error, without its message, which may contain values.
 *
 * @example
 * ```ts
 * import { withSpan } from "#base/telemetry/spans.ts";
 *
 * const answer = await withSpan({ name: "add numbers" }, async () => 40 + 2);
 * console.log(answer); // → 42
 * ```
 */
export const withSpan = <T>(
  options: SpanOptions,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> => (recorder === null ? work(NO_SPAN) : recorder.run(options, work));

/** Returns the ids of the current span, or a new empty object: the logger adds its fields to it. */
export const currentSpanIds = (): object => recorder?.currentIds() ?? {};
