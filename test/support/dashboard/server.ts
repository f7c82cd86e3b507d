import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { CONNECTIONS_DEFAULT_WITH_WORKERS } from "#app/connections.ts";
import { readConfig } from "#app/config.ts";
import { createApp } from "#http/app/app.ts";
import { type ServerDeps, serverDeps } from "#views/deps.ts";
import { cookieName, csrfToken } from "#http/server/person.ts";
import { confirmApiKey, insertApiKey } from "#ledger/people/api-keys.ts";
import { openSession } from "#ledger/people/sessions.ts";
import { insertUser } from "#ledger/people/users.ts";
import { type KeyScope, needsConfirmation, ROLE_NAMES, type Role } from "#people/roles.ts";
import type { Secret } from "#base/secret.ts";
import { openPayrun } from "#app/wiring.ts";
import { openTestLedger } from "../ledger.ts";
import { FAST, merchantsFile, scratch } from "../servers/payrun.ts";

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: LightMyRequestResponse["headers"];
  readonly text: string;
  /** The document of the answer, for the test to examine. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** An API client: sends its cookie and the token against forged requests, or its key. */
export interface Caller {
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
  get(path: string, asked?: Asked): Promise<Answer>;
  post(path: string, body?: unknown, asked?: Asked): Promise<Answer>;
  send(method: string, path: string, asked?: Asked): Promise<Answer>;
}

export interface TestServer {
  readonly app: FastifyInstance;
  readonly deps: ServerDeps;
  readonly nobody: Caller;
  /** The user with only this role. One per role exists from the start. */
  as(role: Role): Caller;
  /** A signed-in user with these roles; use two of one role for two-person actions. */
  newUser(roles: readonly Role[], name?: string): Promise<Caller>;
  /** The user signed in by this answer. */
  entered(answer: Answer): Caller;
  /**
   * A program with these scopes. Its key is created by a user with every role (default), and
   * confirmed by an admin.
   */
  newKey(scopes: readonly KeyScope[], maker?: Caller): Promise<Caller>;
  /** Over a real connection, for streams. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/**
 * The real server over its own ledger, with a user for each of these roles. It sends no payout,
 * because the gateway does not exist.
 */
export async function startTestServer(
  change: Partial<ServerDeps> = {},
  roles: readonly Role[] = ROLE_NAMES,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const { url, close } = await openTestLedger();
  const folder = scratch();
  const payrun = await openPayrun(
    readConfig({
      ...FAST,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(CONNECTIONS_DEFAULT_WITH_WORKERS),
      PAYRUN_DATA: folder,
      GATEWAY_URL: "http://127.0.0.1:9",
      MERCHANTS_FILE: merchantsFile(folder),
      LOG_LEVEL: "fatal",
      ...settings,
    }),
  );
  const deps: ServerDeps = { ...serverDeps(payrun, "simulated"), checksAnswers: true, ...change };
  const { log } = deps;
  const app = createApp({ log, openCallback: () => null, health: async () => [], dashboard: deps });
  // Checks permission without acting: the test of all operations stops here.
  app.addHook("preHandler", async (request, reply) => {
    if (request.headers["x-stop-at-the-door"]) return reply.code(299).send({});
  });
  await app.ready();

  const newUser = async (roles: readonly Role[], name?: string) => {
    const { userId, token } = await signedIn(deps, roles, name);
    return callerOf(app, userId, {
      cookie: `${cookieName(false)}=${token}`,
      "x-payrun-csrf": csrfToken(token),
    });
  };
  const byRole = new Map<Role, Caller>();
  for (const role of roles) byRole.set(role, await newUser([role]));

  return {
    app,
    deps,
    nobody: callerOf(app, "", {}),
    as(role) {
      const caller = byRole.get(role);
      if (!caller) throw new Error(`no ${role}`);
      return caller;
    },
    newUser,
    entered({ headers, json }) {
      const [cookie = ""] = [headers["set-cookie"] ?? []].flat();
      const own = { cookie: cookie.split(";")[0] ?? "", "x-payrun-csrf": json.csrf_token };
      return callerOf(app, json.person.id, own);
    },
    async newKey(scopes, maker) {
      const { id, token } = await workingKey(deps, scopes, maker?.userId);
      return callerOf(app, id, { authorization: `Bearer ${token.reveal()}` });
    },
    listen: () => app.listen({ host: "127.0.0.1", port: 0 }),
    async close() {
      await app.close();
      await payrun.close();
      await close();
    },
  };
}

let users = 0;

/** A new user with their own session. */
export async function signedIn(
  { database, clock }: Pick<ServerDeps, "database" | "clock">,
  roles: readonly Role[],
  name = roles.join(" and "),
): Promise<{ readonly userId: string; readonly token: string }> {
  const at = new Date(clock.nowMs());
  const email = `${name.replaceAll(" ", ".")}-${users++}@example.test`;
  const userId = await insertUser(database, { email, name, roles, at });
  const session = { userId, secure: false, address: "127.0.0.1", agent: "test", at };
  return { userId, token: (await openSession(database, session)).token.reveal() };
}

/** A key that works immediately: its maker has every right, and an admin has confirmed it. */
export async function workingKey(
  world: Pick<ServerDeps, "database" | "clock">,
  scopes: readonly KeyScope[],
  maker?: string,
): Promise<{ readonly id: string; readonly token: Secret }> {
  const { database, clock } = world;
  const at = new Date(clock.nowMs());
  const expiresAt = new Date(at.getTime() + 86_400_000);
  const createdBy = maker ?? (await signedIn(world, ROLE_NAMES, "maker of the key")).userId;
  const key = { name: scopes.join(" "), scopes, createdBy, expiresAt, at };
  const made = await insertApiKey(database, key);
  if (needsConfirmation(scopes)) {
    const { userId: by } = await signedIn(world, ["admin"], "confirmer of the key");
    await confirmApiKey(database, { id: made.id, by, at });
  }
  return made;
}

function callerOf(
  app: FastifyInstance,
  userId: string,
  own: Readonly<Record<string, string>>,
): Caller {
  const send: Caller["send"] = async (method, path, { body, headers = {} } = {}) => {
    const isFile = typeof body === "string" || Buffer.isBuffer(body);
    const answer = await app.inject({
      method: method as "GET",
      url: path,
      headers: { ...own, ...(isFile ? { "content-type": "text/csv" } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object | string | Buffer }),
    });
    const isJson = /json/.test(String(answer.headers["content-type"]));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      json: isJson ? answer.json() : undefined,
    };
  };
  return {
    userId,
    headers: own,
    send,
    get: (path, asked) => send("GET", path, asked),
    post: (path, body, asked) => send("POST", path, { ...asked, body }),
  };
}
