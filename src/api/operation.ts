import type { z } from "zod";
import type { Permission } from "#people/roles.ts";

/** One operation of the HTTP API, as its table tells it; the key in the table is "METHOD /path". */
export interface Operation {
  /** Who may; what is not in a table is refused to everybody. */
  readonly may: Permission | "public" | "signed_in";
  readonly summary: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** A schema; or what is no JSON document: a file, a stream of events, nothing (204). */
  readonly answer: z.ZodType | "file" | "events" | "nothing";
  /** It makes something: 201, and an Idempotency-Key makes a repetition harmless. */
  readonly creates?: true;
  /** The answer holds a secret that is told once: no copy of it is kept for a repetition. */
  readonly secret?: true;
  /** The body is the file itself, as a stream. */
  readonly upload?: true;
  /** Needs a second proof of who is asking, at most five minutes old. */
  readonly stepUp?: true;
  /** False: for people alone, whatever scope a key has. */
  readonly keys?: false;
}

type Read<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Written<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;
type Part<O, Name extends string> =
  O extends Readonly<Record<Name, infer Schema>> ? Schema : undefined;

/** What the server reads out of a request. */
export type ParamsOf<O extends Operation> = Read<Part<O, "params">>;
export type QueryOf<O extends Operation> = Read<Part<O, "query">>;
export type BodyOf<O extends Operation> = Read<Part<O, "body">>;

/** What a client writes into one. @public */
export type ParamsFor<O extends Operation> = Written<Part<O, "params">>;
/** @public */
export type QueryFor<O extends Operation> = Written<Part<O, "query">>;
/** @public */
export type BodyFor<O extends Operation> = Written<Part<O, "body">>;

type Given<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value };

/** The parts of a request, each where the operation has it. @public */
export type InputFor<O extends Operation> = Given<"params", ParamsFor<O>> &
  Given<"query", QueryFor<O>> &
  Given<"body", BodyFor<O>>;

/** The JSON document that is answered; undefined where the answer is none. */
export type AnswerOf<O extends Operation> = Read<O["answer"]>;
