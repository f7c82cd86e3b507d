import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { CONNECTIONS_OF_BOTH } from "#connections.ts";
import { readConfig } from "#config.ts";
import { createApp } from "#http/app.ts";
import { type Desk, deskOf } from "#http/desk.ts";
import { cookieName, csrfToken } from "#http/person.ts";
import { insertApiKey } from "#ledger/people/api-keys.ts";
import { openSession } from "#ledger/people/sessions.ts";
import { insertUser } from "#ledger/people/users.ts";
import { type KeyScope, ROLE_NAMES, type Role } from "#people/roles.ts";
import { openPayrun } from "#wiring.ts";
import { openTestLedger } from "./ledger.ts";
import { FAST, merchantsFile, scratch } from "./payrun.ts";

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: LightMyRequestResponse["headers"];
  readonly text: string;
  /** The document of the answer; what it holds is for the test to look at. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** Somebody at the API: asks with their cookie and the token against forged requests, or with their key. */
export interface Caller {
  readonly userId: string;
  readonly headers: Readonly<Record<string, string>>;
  get(path: string, asked?: Asked): Promise<Answer>;
  post(path: string, body?: unknown, asked?: Asked): Promise<Answer>;
  send(method: string, path: string, asked?: Asked): Promise<Answer>;
}

export interface TestDesk {
  readonly app: FastifyInstance;
  readonly desk: Desk;
  readonly nobody: Caller;
  /** The user who has this role alone; one for each role is there from the start. */
  as(role: Role): Caller;
  /** A user with these roles, signed in; two users of one role for whatever needs two people. */
  newUser(roles: readonly Role[], name?: string): Promise<Caller>;
  /** Whoever the answer of a sign-in has let in. */
  entered(answer: Answer): Caller;
  /** A program with these scopes. */
  newKey(scopes: readonly KeyScope[]): Promise<Caller>;
  /** Over a real connection, for what must stream. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/**
 * The real server, over a ledger of its own, with a user for each of these roles. Nothing is sent: the gateway is
 * nowhere.
 */
export async function startDesk(
  change: Partial<Desk> = {},
  roles: readonly Role[] = ROLE_NAMES,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestDesk> {
  const { url, close } = await openTestLedger();
  const folder = scratch();
  const payrun = await openPayrun(
    readConfig({
      ...FAST,
      DATABASE_URL: url,
      DATABASE_CONNECTIONS: String(CONNECTIONS_OF_BOTH),
      PAYRUN_DATA: folder,
      GATEWAY_URL: "http://127.0.0.1:9",
      MERCHANTS_FILE: merchantsFile(folder),
      LOG_LEVEL: "fatal",
      ...settings,
    }),
  );
  const desk: Desk = { ...deskOf(payrun, "simulated"), checksAnswers: true, ...change };
  const { log } = desk;
  const app = createApp({ log, openCallback: () => null, health: async () => [], desk });
  // Whether somebody may, without doing it: the walk over all operations stops here.
  app.addHook("preHandler", async (request, reply) => {
    if (request.headers["x-stop-at-the-door"]) return reply.code(299).send({});
  });
  await app.ready();

  const newUser = async (roles: readonly Role[], name?: string) => {
    const { userId, token } = await signedIn(desk, roles, name);
    return callerOf(app, userId, {
      cookie: `${cookieName(false)}=${token}`,
      "x-payrun-csrf": csrfToken(token),
    });
  };
  const byRole = new Map<Role, Caller>();
  for (const role of roles) byRole.set(role, await newUser([role]));

  return {
    app,
    desk,
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
    async newKey(scopes) {
      const at = new Date(desk.clock.nowMs());
      const expiresAt = new Date(at.getTime() + 86_400_000);
      const createdBy = byRole.get("admin")?.userId ?? "";
      const key = { name: scopes.join(" "), scopes, createdBy, expiresAt, at };
      const { id, token } = await insertApiKey(desk.database, key);
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

/** A new user with a session of theirs. */
export async function signedIn(
  { database, clock }: Pick<Desk, "database" | "clock">,
  roles: readonly Role[],
  name = roles.join(" and "),
): Promise<{ readonly userId: string; readonly token: string }> {
  const at = new Date(clock.nowMs());
  const email = `${name.replaceAll(" ", ".")}-${users++}@example.test`;
  const userId = await insertUser(database, { email, name, roles, at });
  const session = { userId, secure: false, address: "127.0.0.1", agent: "test", at };
  return { userId, token: (await openSession(database, session)).token.reveal() };
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
