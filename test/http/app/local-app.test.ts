/** The API of the local operator: what they may do, and that no network request becomes theirs. */
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { API, type OperationName } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { createLocalApi, type LocalAnswer, type LocalApi } from "#http/app/local-app.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

const OPERATOR = "cli:asha";
const OUTAGE = new Error("the disk is gone");
const NAMES = Object.keys(API) as OperationName[];
const operationOf = (name: OperationName): ApiOperation => API[name];

let server: TestServer;
let api: LocalApi;
let app: FastifyInstance;
/** The senders of the requests that were allowed. */
let allowed: (string | null)[];
let release = (): void => {};

/** Every operation of the API. A request is answered once it is allowed. */
function everyRoute(instance: FastifyInstance, local: RouteDeps): void {
  app = instance;
  instance.addHook("preHandler", async (request, reply) => {
    allowed.push(request.person?.actor ?? null);
    if (request.headers["x-fail"]) throw OUTAGE;
    if (request.headers["x-wait"]) await new Promise<void>((resolve) => (release = resolve));
    return reply.code(299).send({});
  });
  for (const name of NAMES) route(instance, local, name, () => Promise.reject(OUTAGE));
}

const send = (name: OperationName, headers = {}): Promise<LocalAnswer> => {
  const [method = "", path = ""] = name.split(" ");
  return api.send({ method, address: path.replaceAll(/:\w+/g, "X1"), headers });
};

beforeAll(async () => {
  server = await startTestServer({}, []);
  api = await createLocalApi(server.deps, OPERATOR, everyRoute);
});
beforeEach(() => {
  allowed = [];
});
afterAll(async () => {
  await api.close();
  await server.close();
});

const isForPrograms = ({ permission, keys, stepUp }: ApiOperation): boolean =>
  ["public", "signed_in", "read", "upload", "operate"].includes(permission) &&
  keys !== false &&
  !stepUp;

test.each(NAMES)("lets the local operator do no more than an API key: %s", async (name) => {
  const { status } = await send(name);
  const isAllowed = isForPrograms(operationOf(name));
  expect([status, allowed]).toEqual(isAllowed ? [299, [OPERATOR]] : [403, []]);
});

test("refuses the local operator every approval, and every decision of a second person", () => {
  const refused = NAMES.filter((name) => !isForPrograms(operationOf(name)));
  expect(refused).toEqual(
    expect.arrayContaining([
      "POST /api/batches/:id/approve",
      "POST /api/batches/:id/allow-duplicates",
      "POST /api/batches/:id/release-quarantine",
      "POST /api/batches/:id/send-now",
    ]),
  );
});

test("gives the operator's identity to no network request, even if the app listened", async () => {
  expect(Object.keys(api)).toEqual(["send", "close"]);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  // A call of the operator is in progress while the requests arrive.
  const waiting = send("GET /api/batches", { "x-wait": "1" });
  await expect.poll(() => allowed).toEqual([OPERATOR]);
  for (const headers of [
    {},
    { authorization: OPERATOR },
    { "x-actor": OPERATOR },
    { cookie: OPERATOR },
  ]) {
    const answer = await fetch(`${url}/api/batches`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([401, { code: "not_signed_in" }]);
  }
  release();
  expect((await waiting).status).toBe(299);
  expect(allowed).toEqual([OPERATOR]);
});

test("refuses at the server what names the local operator", async () => {
  const headers = [{ authorization: `Bearer ${OPERATOR}` }, { "x-actor": OPERATOR }];
  for (const each of headers) {
    const { status } = await server.nobody.get("/api/batches", { headers: each });
    expect(status).toBe(401);
  }
});

test("throws the error of a failed handler unchanged, for the exit code of the command", async () => {
  await expect(send("GET /api/batches", { "x-fail": "1" })).rejects.toBe(OUTAGE);
});
