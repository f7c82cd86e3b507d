import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetLink, setupLink } from "#flows/people/links.ts";
import { hashPassword } from "#flows/people/password-hash.ts";
import type { ServerDeps } from "#views/deps.ts";
import { lockUsers, setDisabled, setPassword } from "#ledger/people/users.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import {
  MINUTE_MS,
  OTHER,
  PASSWORD,
  peopleOf,
  stillClock,
  tokenOf,
} from "../../support/actions/people.ts";

const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());
// Tests do not share failed attempts.
beforeEach(() => clock.put(61 * MINUTE_MS));

const { newAdmin, joined, signIn, auditOf } = peopleOf(() => server, clock);

describe("the first start", () => {
  test("creates one admin by a link, once, and a newer link voids the earlier one", async () => {
    const { deps, nobody, entered, close } = await startTestServer({ clock }, []);
    const make = async () => (await setupLink("system", deps))?.token.reveal() ?? "";
    expect((await nobody.get("/api/session")).json.setup_needed).toBe(true);
    const [first, token] = [await make(), await make()];
    const use = (token: string, more = {}) =>
      nobody.post("/api/links/use", { token, password: PASSWORD, ...more });
    const me = { email: "first@example.test", name: "First" };
    expect((await use(first, me)).json.code).toBe("link_invalid");
    expect((await use(token)).json.code).toBe("invalid_request");
    const admin = entered(await use(token, me));
    expect((await admin.get("/api/users")).json.items).toMatchObject([{ ...me, roles: ["admin"] }]);
    expect((await use(token, me)).json.code).toBe("link_invalid");
    expect(await make()).toBe("");
    await close();
  });
});

describe("an invited user", () => {
  test("chooses a password with the link, which works once, and is signed in", async () => {
    const { email, token, user, admin } = await joined(["uploader"]);
    expect((await user.get("/api/session")).json.person).toMatchObject({
      email,
      roles: ["uploader"],
    });
    const again = await server.nobody.post("/api/links/use", { token, password: OTHER });
    expect(again).toMatchObject({ status: 410, json: { code: "link_invalid" } });
    expect((await signIn(email)).status).toBe(200);
    expect(await auditOf(user.userId)).toEqual([
      `user:${admin.userId} invite`,
      `user:${user.userId} join`,
    ]);
  });

  test("sees the purpose of the link until it expires", async () => {
    const admin = await newAdmin();
    const invited = { email: "late@example.test", name: "Late", roles: ["viewer"] };
    const token = tokenOf((await admin.post("/api/users", invited)).json);
    const look = () => server.nobody.post("/api/links/inspect", { token });
    expect((await look()).json).toMatchObject({ purpose: "invite", email: "late@example.test" });
    clock.put(25 * 60 * MINUTE_MS);
    expect((await look()).json.code).toBe("link_invalid");
  });

  test.each([
    ["short", "too_short"],
    ["aaaaaaaaaaaaaaaa", "too_plain"],
    ["123456789012345", "too_plain"],
    ["fourteen chars", "too_short"],
    ["Password123456!", "too_common"],
    ["person.weak99999", "about_you"],
  ])("cannot use %s", async (password, why) => {
    const admin = await newAdmin();
    const email = `person.weak-${why}-${password.length}@example.test`;
    const invited = await admin.post("/api/users", {
      email,
      name: why === "about_you" ? "Person Weak" : `Person ${why} ${password.length}`,
      roles: ["viewer"],
    });
    const token = tokenOf(invited.json);
    const { status, json } = await server.nobody.post("/api/links/use", { token, password });
    expect([status, json.code, json.why]).toEqual([422, "weak_password", why]);
    const checked = await server.nobody.post("/api/links/password-check", { token, password });
    expect([checked.status, checked.json]).toEqual([200, { problem: why }]);
  });

  test("is the same user, whatever the case of the address", async () => {
    const { email, admin } = await joined(["viewer"]);
    const again = { email: email.toUpperCase(), name: "Twin", roles: ["viewer"] };
    expect((await admin.post("/api/users", again)).json.code).toBe("email_taken");
  });
});

describe("signing in", () => {
  test("creates a new session, whatever cookie was there", async () => {
    const { email, user } = await joined(["viewer"]);
    const answer = await user.post("/api/session", { email, password: PASSWORD });
    const cookie = String(answer.headers["set-cookie"]);
    expect(cookie).toMatch(/^payrun=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(user.headers["cookie"]);
    expect((await user.get("/api/profile/sessions")).json.code).toBe("session_expired");
    const now = server.entered(answer);
    expect((await now.get("/api/profile/sessions")).json.items).toMatchObject([
      { is_current: true },
    ]);
  });

  test("lasts while a person is active, not while an open page polls", async () => {
    const { user } = await joined(["viewer"]);
    const look = async (headers = {}) => {
      clock.put(20 * MINUTE_MS);
      return (await user.get("/api/profile/sessions", { headers })).status;
    };
    const byInput = { "x-payrun-input": "1" };
    expect([await look(byInput), await look(byInput), await look()]).toEqual([200, 200, 200]);
    expect(await look()).toBe(401);
    expect(await look(byInput)).toBe(401);
  });

  test("sets a cookie over https that no other host and no plain connection can set", async () => {
    const { email } = await joined(["viewer"]);
    const headers = { origin: "https://localhost", host: "localhost" };
    const { headers: told } = await server.nobody.post(
      "/api/session",
      { email, password: PASSWORD },
      { headers },
    );
    expect(String(told["set-cookie"])).toMatch(
      /^__Host-payrun=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  test("trusts a proxy for the client address only when configured", async () => {
    const headers = { "x-forwarded-for": "203.0.113.7" };
    const seenFrom = async (change: Partial<ServerDeps>) => {
      const other = await startTestServer({ clock, ...change }, ["viewer"]);
      const viewer = other.as("viewer");
      const hash = await hashPassword(PASSWORD);
      await setPassword(other.deps.database, viewer.userId, hash);
      const { email } = (await viewer.get("/api/session")).json.person;
      const answer = await other.nobody.post(
        "/api/session",
        { email, password: PASSWORD },
        { headers },
      );
      const { items } = (await other.entered(answer).get("/api/profile/sessions")).json;
      await other.close();
      return items.map(({ address }: { address: string }) => address);
    };
    const config = { ...server.deps.config, TRUSTED_PROXIES: "127.0.0.0/8" };
    expect(await seenFrom({ config })).toContain("203.0.113.7");
    expect(await seenFrom({})).not.toContain("203.0.113.7");
  });

  test("ignores cookies of plain connections where users come by https only", async () => {
    const config = { ...server.deps.config, PUBLIC_URL: "https://desk.example" };
    const other = await startTestServer({ clock, config }, ["viewer"]);
    const viewer = other.as("viewer");
    expect((await viewer.get("/api/profile/sessions")).json.code).toBe("not_signed_in");
    await setPassword(other.deps.database, viewer.userId, await hashPassword(PASSWORD));
    const { email } = await other.deps.database
      .selectFrom("users")
      .select("email")
      .executeTakeFirstOrThrow();
    const answer = await other.nobody.post("/api/session", { email, password: PASSWORD });
    expect(String(answer.headers["set-cookie"])).toMatch(/^__Host-payrun=.*; Secure/);
    expect((await other.entered(answer).get("/api/profile/sessions")).status).toBe(200);
    await other.close();
  });

  test("does not reveal which accounts exist", async () => {
    const { email } = await joined(["viewer"]);
    const wrong = await signIn(email, OTHER);
    const unknown = await signIn("nobody@example.test", OTHER);
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  test("is slowed down after wrong attempts, for unknown accounts as well, and recovers", async () => {
    const { email } = await joined(["viewer"]);
    for (const each of [email, "stranger@example.test"]) {
      const codes = [];
      for (let tries = 0; tries < 6; tries += 1) codes.push((await signIn(each, OTHER)).json.code);
      expect(codes).toEqual([...Array(5).fill("wrong_credentials"), "too_many_attempts"]);
    }
    const { status, headers, json } = await signIn(email);
    expect([status, json.code]).toEqual([429, "too_many_attempts"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    clock.put(MINUTE_MS);
    expect((await signIn(email)).status).toBe(200);
    expect((await signIn(email, OTHER)).json.code).toBe("wrong_credentials");
  });

  test("is slowed down per address, whichever accounts are tried", async () => {
    const codes = new Set<string>();
    for (let tries = 0; tries < 23; tries += 1) {
      codes.add((await signIn(`guess-${tries}@example.test`, OTHER)).json.code);
    }
    expect([...codes]).toEqual(["wrong_credentials", "too_many_attempts"]);
  });

  test("deletes old counts", async () => {
    await signIn("once@example.test", OTHER);
    clock.put(61 * MINUTE_MS);
    await signIn("twice@example.test", OTHER);
    const { database } = server.deps;
    expect(await database.selectFrom("throttles").select("key").execute()).toHaveLength(4);
  });

  test("counts concurrent attempts individually", async () => {
    const { email } = await joined(["viewer"]);
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, OTHER)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test("ends with a sign-out, which closes open streams", async () => {
    const { user } = await joined(["viewer"]);
    const { status, headers } = await user.send("DELETE", "/api/session");
    expect(status).toBe(204);
    expect([headers["set-cookie"]].flat()).toEqual([
      expect.stringMatching(/^__Host-payrun=;.*; Secure;/),
      expect.stringMatching(/^payrun=;(?!.*Secure)/),
    ]);
    expect((await user.get("/api/profile/sessions")).json.code).toBe("session_expired");
  });
});

describe("a user's own account", () => {
  test("ends every other session with a new password", async () => {
    const { email, user } = await joined(["viewer"]);
    const elsewhere = server.entered(await signIn(email));
    const change = (current: string, password: string) =>
      user.post("/api/profile/password", { current, password });
    expect((await change(OTHER, "yet another long one")).json.code).toBe("wrong_password_or_code");
    expect((await change(PASSWORD, "short")).json.code).toBe("weak_password");
    const now = server.entered(await change(PASSWORD, OTHER));
    expect((await now.get("/api/profile/sessions")).json.items).toHaveLength(1);
    for (const old of [user, elsewhere]) {
      expect((await old.get("/api/profile/sessions")).json.code).toBe("session_expired");
    }
    expect((await signIn(email)).status).toBe(401);
  });

  test("voids pending password links with a new password", async () => {
    const { user, admin } = await joined(["viewer"]);
    const reset = await admin.post(`/api/users/${user.userId}/link`, { drop_totp: false });
    const token = tokenOf(reset.json);
    await user.post("/api/profile/password", { current: PASSWORD, password: OTHER });
    expect((await server.nobody.post("/api/links/inspect", { token })).json.code).toBe(
      "link_invalid",
    );
  });

  test("gets no link while the user is being disabled", async () => {
    const { user } = await joined(["viewer"]);
    const { database } = server.deps;
    let made: ReturnType<typeof resetLink> | undefined;
    await database.transaction().execute(async (transaction) => {
      await lockUsers(transaction);
      await setDisabled(transaction, user.userId, new Date(clock.nowMs()));
      made = resetLink({ userId: user.userId, dropsTotp: false }, "test", server.deps);
      await clock.sleep(200);
    });
    expect(await made).toEqual({ ok: false, error: "user_disabled" });
  });

  test("can end an unknown session, but only one's own", async () => {
    const { email, user } = await joined(["viewer"]);
    const elsewhere = server.entered(await signIn(email));
    const { items } = (await user.get("/api/profile/sessions")).json;
    const [other] = items.filter(({ is_current }: { is_current: boolean }) => !is_current);
    const stranger = (await joined(["admin"])).user;
    const end = (caller: Caller) => caller.send("DELETE", `/api/profile/sessions/${other.id}`);
    expect((await end(stranger)).status).toBe(404);
    expect((await end(user)).status).toBe(204);
    expect((await elsewhere.get("/api/profile/sessions")).json.code).toBe("session_expired");
  });
});
