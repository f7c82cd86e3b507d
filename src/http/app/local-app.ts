import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import { type FastifyInstance, fastify, type InjectOptions } from "fastify";
import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Problem } from "#api/app/problems.ts";
import { answerProblem } from "#http/server/problems.ts";
import { denyByDefault } from "#http/server/access.ts";
import type { RouteDeps } from "#http/server/routes.ts";
import type { Permission } from "#people/roles.ts";
import type { Person } from "#views/person.ts";

export interface LocalRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LocalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: Readable;
}

/** API operations for the operator of this machine. No port is opened. */
export interface LocalApi {
  /**
   * Serves one request.
   *
   * @throws the error of a handler that refuses nothing but fails, such as a database outage.
   */
  send(request: LocalRequest): Promise<LocalAnswer>;
  close(): Promise<void>;
}

/** Registers the routes of a local API. */
export type LocalRoutes = (app: FastifyInstance, desk: RouteDeps) => void;

/** A call in progress. `failure` is the error of its handler. */
interface LocalCall {
  readonly operator: Person;
  failure?: Error;
}

/**
 * The permissions of the local operator: no approval, no administration. As for an API key, the
 * operations that require a signed-in user are refused.
 */
const PERMISSIONS: readonly Permission[] = ["read", "upload", "operate"];

const operatorOf = (actor: string): Person => ({
  // Counts as a program, so a decision that two people must make is never made here.
  kind: "key",
  id: actor,
  name: actor,
  email: null,
  roles: [],
  permissions: new Set(PERMISSIONS),
  actor,
  keyOwner: actor,
  session: null,
  factorMissing: [],
});

/**
 * Creates the API of the local operator, with only these routes.
 *
 * The operator is part of the call and not of the request: no header, cookie, key or address of a
 * request makes its sender the operator. The Fastify instance does not leave this function. If it
 * listened anyway, a request from a connection would belong to no call, and be refused.
 *
 * @param actor the operator in the audit log, such as "cli:asha".
 * @param register registers the routes that the operator needs.
 */
export async function createLocalApi(
  deps: RouteDeps,
  actor: string,
  register: LocalRoutes,
): Promise<LocalApi> {
  const calls = new AsyncLocalStorage<LocalCall>();
  const operator = operatorOf(actor);
  const app = fastify({ logger: false, routerOptions: { maxParamLength: PARAM_LENGTH_MAX } });
  app.setErrorHandler(async (error, _request, reply) => {
    const call = calls.getStore();
    if (call && !(error instanceof Problem)) {
      call.failure = error instanceof Error ? error : new Error(String(error));
    }
    return answerProblem(reply, error instanceof Problem ? error : new Problem("unexpected"));
  });
  app.setNotFoundHandler(async (_request, reply) => answerProblem(reply, new Problem("not_found")));
  const local: RouteDeps = { ...deps, contractOf: withLenientTexts };
  denyByDefault(app, local, async () => calls.getStore()?.operator ?? null);
  register(app, local);
  await app.ready();
  return {
    async send({ method, address, headers = {}, body }) {
      const call: LocalCall = { operator };
      const request: InjectOptions = {
        method,
        url: address,
        headers,
        payloadAsStream: true,
        ...(body !== undefined && { payload: body }),
      };
      // `inject` dispatches when it is awaited, so it is awaited within the call.
      const answer = await calls.run(call, async () => await app.inject(request));
      if (call.failure !== undefined) throw call.failure;
      return { status: answer.statusCode, headers: answer.headers, body: answer.stream() };
    },
    close: () => app.close(),
  };
}

/** Longer than any argument of a command. */
const PARAM_LENGTH_MAX = 1_000_000;

/**
 * Reads the addresses and reasons of the local operator as they are given: an ID may be any text,
 * and a reason may be short, long or absent. An order on the ledger's machine must not fail because
 * of its reason.
 */
function withLenientTexts(operation: ApiOperation): ApiOperation {
  const { params, body } = operation;
  return {
    ...operation,
    ...(params && { params: z.record(z.string(), z.string()) }),
    ...(body instanceof z.ZodObject &&
      "reason" in body.shape && { body: body.safeExtend({ reason: lenientReason(body.shape) }) }),
  };
}

/** Where a reason is optional, it may be omitted, and is never null. */
const lenientReason = ({ reason }: z.core.$ZodShape) =>
  reason instanceof z.ZodOptional ? z.string().optional() : z.string().nullable();
