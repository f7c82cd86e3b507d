import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
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

const { newAdmin, joined, signIn, auditOf, steppedUp } = peopleOf(() => server, clock);

describe("the second factor", () => {
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs() });

  async function withTotp() {
    const person = await joined(["uploader"]);
    const { user } = person;
    clock.put(5 * MINUTE_MS);
    expect((await user.post("/api/profile/totp")).json.code).toBe("step_up_required");
    await user.post("/api/session/step-up", { password: PASSWORD });
    const { json } = await user.post("/api/profile/totp");
    const { secret, enrolment, qr_svg, uri } = json;
    expect(qr_svg).toMatch(/^<svg/);
    expect(uri).toMatch(/^otpauth:\/\/totp\/payrun/);
    const wrong = await user.post("/api/profile/totp/confirm", { enrolment, code: "000000" });
    expect(wrong.json.code).toBe("wrong_password_or_code");
    const kept = await user.post("/api/profile/totp/confirm", { enrolment, code: codeOf(secret) });
    return { ...person, secret: String(secret), recovery: kept.json.recovery_codes as string[] };
  }

  async function newcomer() {
    const person = await joined(["uploader"]);
    await person.user.post("/api/session/step-up", { password: PASSWORD });
    return { ...person, secret: "" };
  }

  test("is required at sign-in, and each code works once", async () => {
    const { email, secret } = await withTotp();
    expect((await signIn(email)).json.code).toBe("code_required");
    clock.put(MINUTE_MS);
    const code = codeOf(secret);
    expect((await signIn(email, OTHER, code)).json.code).toBe("wrong_credentials");
    expect((await signIn(email, PASSWORD, code)).status).toBe(200);
    expect((await signIn(email, PASSWORD, code)).json.code).toBe("wrong_credentials");
  });

  test("can be replaced by recovery codes, each once", async () => {
    const { email, recovery } = await withTotp();
    expect(new Set(recovery).size).toBe(10);
    const [code = ""] = recovery;
    expect((await signIn(email, PASSWORD, code.toLowerCase())).status).toBe(200);
    expect((await signIn(email, PASSWORD, code)).json.code).toBe("wrong_credentials");
  });

  test.each(["set up", "set up again", "removed"])(
    "%s ends the other sessions and earlier step-ups",
    async (how) => {
      const { user, email, secret } = how === "set up" ? await newcomer() : await withTotp();
      if (how !== "set up") await steppedUp(user);
      clock.put(MINUTE_MS);
      const other = await signIn(email, PASSWORD, how === "set up" ? undefined : codeOf(secret));
      const elsewhere = server.entered(other);
      expect((await elsewhere.get("/api/profile/sessions")).status).toBe(200);
      const { json } = await user.post("/api/profile/totp");
      const body = { enrolment: json.enrolment, code: codeOf(json.secret) };
      const changed =
        how === "removed"
          ? await user.send("DELETE", "/api/profile/totp")
          : await user.post("/api/profile/totp/confirm", body);
      expect(changed.status).toBeLessThan(300);
      expect((await elsewhere.get("/api/profile/sessions")).json.code).toBe("session_expired");
      expect((await user.get("/api/profile/sessions")).status).toBe(200);
      expect((await user.post("/api/profile/totp")).json.code).toBe("step_up_required");
    },
  );

  test("counts the sign-in for five minutes, with a code where the user has a factor", async () => {
    const { email, user, secret } = await withTotp();
    const removes = async (caller: typeof user) =>
      (await caller.send("DELETE", "/api/profile/totp")).json?.code ?? "removed";
    const changed = { current: PASSWORD, password: OTHER };
    const renewed = server.entered(await user.post("/api/profile/password", changed));
    expect(await removes(renewed)).toBe("step_up_required");
    clock.put(MINUTE_MS);
    const again = server.entered(await signIn(email, OTHER, codeOf(secret)));
    clock.put(5 * MINUTE_MS);
    expect(await removes(again)).toBe("step_up_required");
    clock.put(MINUTE_MS);
    const fresh = server.entered(await signIn(email, OTHER, codeOf(secret)));
    expect(await removes(fresh)).toBe("removed");
  });

  test("opens what needs a fresh proof for five minutes, which the password alone does not", async () => {
    const { user, secret } = await withTotp();
    clock.put(6 * MINUTE_MS);
    const remove = () => user.send("DELETE", "/api/profile/totp");
    expect((await remove()).json.code).toBe("step_up_required");
    const stepUp = (proof: object) => user.post("/api/session/step-up", proof);
    expect((await stepUp({ password: PASSWORD })).json.code).toBe("code_required");
    expect((await stepUp({ code: "000000" })).json.code).toBe("wrong_password_or_code");
    expect((await stepUp({ code: codeOf(secret) })).status).toBe(200);
    expect((await remove()).status).toBe(204);
  });

  test("stays after a password reset that does not also remove it", async () => {
    const { email, user, admin } = await withTotp();
    await steppedUp(admin);
    const link = async (body: object) =>
      tokenOf((await admin.post(`/api/users/${user.userId}/link`, body)).json);
    const kept = await server.nobody.post("/api/links/use", {
      token: await link({}),
      password: OTHER,
    });
    expect(kept.json.person).toBeNull();
    expect((await signIn(email, OTHER)).json.code).toBe("code_required");
    const token = await link({ drop_totp: true });
    const dropped = await server.nobody.post("/api/links/use", { token, password: PASSWORD });
    expect(dropped.json.person).toMatchObject({ has_totp: false });
  });

  test("is encrypted in the ledger", async () => {
    const { secret, user } = await withTotp();
    const { database } = server.deps;
    const row = await database
      .selectFrom("users")
      .select("totp")
      .where("id", "=", user.userId)
      .executeTakeFirstOrThrow();
    expect(row.totp?.includes(secret)).toBe(false);
    expect(row.totp?.length).toBeGreaterThan(32);
  });
});

describe("an admin", () => {
  test("changes other users' roles, which ends their sessions, but never their own", async () => {
    const { user, admin, email } = await joined(["viewer"]);
    const setRoles = (id: string, roles: string[]) =>
      admin.send("PUT", `/api/users/${id}/roles`, { body: { roles } });
    expect((await setRoles(admin.userId, ["admin", "approver"])).json.code).toBe("own_roles");
    expect((await setRoles(user.userId, ["uploader"])).status).toBe(204);
    expect((await user.get("/api/profile/sessions")).json.code).toBe("session_expired");
    expect((await signIn(email)).json.person.permissions).toContain("upload");
    expect(await auditOf(user.userId)).toContain(`user:${admin.userId} roles`);
  });

  test("disables a user immediately, and enables the user again", async () => {
    const { user, admin, email } = await joined(["viewer"]);
    expect((await admin.post(`/api/users/${user.userId}/disable`)).status).toBe(204);
    expect((await user.get("/api/profile/sessions")).json.code).toBe("session_expired");
    expect((await signIn(email)).json.code).toBe("wrong_credentials");
    expect((await admin.post(`/api/users/${user.userId}/link`, {})).json.code).toBe(
      "user_disabled",
    );
    await admin.post(`/api/users/${user.userId}/enable`);
    expect((await signIn(email)).status).toBe(200);
  });

  test("cannot be disabled as the last one who can sign in", async () => {
    const alone = await startTestServer({ clock });
    const { database } = alone.deps;
    await database
      .updateTable("users")
      .set({ password: "x" })
      .where("id", "=", alone.as("admin").userId)
      .execute();
    const second = await alone.newUser(["admin"]); // has no password: could not sign in again
    const until = new Date(clock.nowMs() + 60_000);
    await database.updateTable("sessions").set({ stepped_up_until: until }).execute();
    const { userId } = alone.as("admin");
    expect((await second.post(`/api/users/${userId}/disable`)).json.code).toBe("last_admin");
    const roles = { body: { roles: ["viewer"] } };
    expect((await second.send("PUT", `/api/users/${userId}/roles`, roles)).json.code).toBe(
      "second_admin_needed",
    );
    await alone.close();
  });
});

describe("an API key", () => {
  test("is shown once, has its scopes, and ends when revoked", async () => {
    const admin = await steppedUp(await server.newUser(["admin", "uploader"]));
    const expires_at = new Date(clock.nowMs() + 30 * 24 * 60 * MINUTE_MS).toISOString();
    const made = await admin.post("/api/keys", {
      name: "ERP",
      scopes: ["read", "upload"],
      expires_at,
    });
    expect(made).toMatchObject({
      status: 201,
      json: { key: expect.stringMatching(/^pk_[\w-]{43}$/) },
    });
    const headers = { authorization: `Bearer ${made.json.key}` };
    const again = { headers: { "idempotency-key": "k1" } };
    const twice = { name: "Twin", scopes: ["read"], expires_at };
    const [one, other] = [
      await admin.post("/api/keys", twice, again),
      await admin.post("/api/keys", twice, again),
    ];
    expect(one.json.key, "a secret is kept for no repetition").not.toBe(other.json.key);
    const session = async () => (await server.nobody.get("/api/session", { headers })).json;
    expect((await session()).person).toMatchObject({
      kind: "key",
      name: "ERP",
      permissions: ["read", "upload"],
    });

    const listed = await admin.get("/api/keys");
    expect(listed.text).not.toContain(made.json.key);
    expect(listed.json.items).toContainEqual(
      expect.objectContaining({ id: made.json.id, used_at: expect.any(String) }),
    );
    expect((await admin.send("DELETE", `/api/keys/${made.json.id}`)).status).toBe(204);
    expect((await session()).person).toBeNull();
    expect((await server.nobody.get("/api/roles", { headers })).json.code).toBe("key_invalid");
    expect(await auditOf(made.json.id)).toEqual([
      `user:${admin.userId} key_create`,
      `user:${admin.userId} key_revoke`,
    ]);
  });

  test.each([
    ["more than a year", 400],
    ["the past", -1],
  ])("cannot be valid until %s", async (_what, days) => {
    const admin = await newAdmin();
    const expires_at = new Date(clock.nowMs() + days * 24 * 60 * MINUTE_MS).toISOString();
    const { json } = await admin.post("/api/keys", { name: "ERP", scopes: ["read"], expires_at });
    expect(json.code).toBe("invalid_expiry");
  });
});

test("records each action on the audit log, with a valid chain and without secrets", async () => {
  const { database } = server.deps;
  expect(await verifyAudit(database)).toMatchObject({ intact: true });
  const lines = await database.selectFrom("audit").select("facts").execute();
  expect(lines.map(({ facts }) => facts).join("\n")).not.toMatch(/pk_|argon2|walrus|lighthouse/);
});
