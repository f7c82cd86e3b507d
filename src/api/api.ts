import type { Operation } from "#api/operation.ts";
import { SESSION_API } from "#api/session.ts";

/** Every operation of the HTTP API. Server, OpenAPI description, dashboard and command line read this one table. */
export const API = {
  ...SESSION_API,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof API;
