import type { z } from "zod";
import type { Permission } from "#people/roles.ts";

/** One operation of the HTTP API. Its key in the table is "METHOD /path". */
export interface ApiOperation {
  /** The permission required. Routes outside the table are refused. */
  readonly permission: Permission | "public" | "signed_in";
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /**
   * The schema of the answer, or its kind if it is not JSON: a file, an event stream, or no content
   * (204).
   */
  readonly answer: z.ZodType | "file" | "events" | "nothing";
  /**
   * Creates something: answers 201 and supports the Idempotency-Key header. `with_key`: requires
   * the header.
   */
  readonly creates?: true | "with_key";
  /**
   * The answer contains a secret shown once, so it is neither stored for repeated requests nor
   * compressed.
   */
  readonly secret?: true;
  /**
   * The body is the file itself, streamed. With `body`, a JSON document may replace the file; the
   * query then describes the file only.
   */
  readonly upload?: true;
  /** Maximum size in bytes of a JSON body. Default: 64 kB. */
  readonly bodyBytesMax?: number;
  /**
   * Requires a password or code entered at most five minutes ago. `or_first_factor`: a user whose
   * role requires a second factor, and who has none yet, needs a sign-in within the last 15 minutes
   * instead.
   */
  readonly stepUp?: true | "or_first_factor";
  /** False: only signed-in users may call it, whatever scopes an API key has. */
  readonly keys?: false;
}

type ReadAs<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type WrittenAs<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Part<O, Name extends string> =
  O extends Readonly<Record<Name, infer Schema>> ? Schema : undefined;

/** The request as the server reads it. */
export type ParamsOf<O extends ApiOperation> = ReadAs<Part<O, "params">>;
export type QueryOf<O extends ApiOperation> = ReadAs<Part<O, "query">>;
export type BodyOf<O extends ApiOperation> = O extends { readonly upload: true }
  ? ReadAs<Part<O, "body">> | undefined
  : ReadAs<Part<O, "body">>;

/** The request as a client writes it. @public */
export type ParamsFor<O extends ApiOperation> = WrittenAs<Part<O, "params">>;
/** @public */
export type QueryFor<O extends ApiOperation> = WrittenAs<Part<O, "query">>;
/** A file is not part of the document. @public */
export type BodyFor<O extends ApiOperation> = O extends { readonly upload: true }
  ? undefined
  : WrittenAs<Part<O, "body">>;

type Given<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

/** The parts of a request that the operation has. @public */
export type InputFor<O extends ApiOperation> = Given<"params", ParamsFor<O>> &
  Given<"query", QueryFor<O>> &
  Given<"body", BodyFor<O>>;

/** The JSON document of the answer; undefined for other answers. */
export type AnswerOf<O extends ApiOperation> = ReadAs<O["answer"]>;
