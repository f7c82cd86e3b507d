/**
 * An API key has at most the current rights of its maker, and a key that may operate or reveal
 * waits for an admin.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, revokeKey } from "#flows/people/keys.ts";
import { confirmChange } from "#flows/people/second-admin.ts";
import { confirmApiKey } from "#ledger/people/api-keys.ts";
import { type KeyScope, type Role, ROLE_NAMES } from "#people/roles.ts";
import {
  type Answer,
  type Caller,
  startTestServer,
  type TestServer,
} from "../../support/dashboard/server.ts";
import { MINUTE_MS, peopleOf, stillClock } from "../../support/actions/people.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = stillClock();
let server: TestServer;
let admin: Caller;
beforeAll(async () => {
  server = await startTestServer({ clock });
  admin = await steppedUp(server.as("admin"));
});
afterAll(() => server.close());
const { steppedUp, auditOf } = peopleOf(() => server, clock);

const person = async (...roles: Role[]) => steppedUp(await server.newUser(roles));
const make = (by: Caller, scopes: readonly KeyScope[]): Promise<Answer> => {
  const expiresAt = new Date(clock.nowMs() + 30 * DAY_MS).toISOString();
  return by.post("/api/keys", { name: `to ${scopes.join(", ")}`, scopes, expires_at: expiresAt });
};
const withKey = (key: string, path = "/api/batches") =>
  server.nobody.get(path, { headers: { authorization: `Bearer ${key}` } });
const refusal = ({ status, json }: Answer) => [status, json?.code];
const listed = async (by: Caller, id: string) =>
  (await by.get("/api/keys")).json.items.find((key: { id: string }) => key.id === id);
const pendingFor = async (name: string): Promise<string | undefined> =>
  (await admin.get("/api/pending-changes")).json.items.find(
    ({ kind, says }: { kind: string; says: string[] }) => kind === "key" && says[0]?.includes(name),
  )?.id;
const confirm = (by: Caller, id = "") => by.post(`/api/pending-changes/${id}/confirm`);
const set = (userId: string, change: object) =>
  server.deps.database.updateTable("users").set(change).where("id", "=", userId).execute();

describe("a key has at most the rights of its maker", () => {
  test.each<[Role[], KeyScope[], KeyScope]>([
    [["admin"], ["read", "operate"], "operate"],
    [["admin"], ["reveal"], "reveal"],
    [["viewer"], ["read", "upload"], "upload"],
    [["uploader"], ["audit"], "audit"],
    [["approver"], ["collect"], "collect"],
  ])("at creation: %j cannot make a key for %j", async (roles, scopes, missing) => {
    const refused = await make(await person(...roles), scopes);
    expect(refusal(refused)).toEqual([403, "scopes_exceed_creator"]);
    expect(refused.json.detail).toContain(`You do not have the following permissions: ${missing}.`);
  });

  test("at every use: removing a role removes the right from the key immediately", async () => {
    const maker = await person("viewer", "uploader");
    const { json } = await make(maker, ["read", "upload"]);
    const upload = () =>
      server.nobody.post("/api/batches?file_name=x.csv", "a,b\n1,2\n", {
        headers: { authorization: `Bearer ${json.key}` },
      });
    expect((await upload()).json.code).not.toBe("forbidden");
    await set(maker.userId, { roles: ["viewer"] });
    const refused = await upload();
    expect(refusal(refused)).toEqual([403, "forbidden"]);
    expect(refused.json.detail).toContain("This key has lost the upload permission");
    expect((await withKey(json.key)).status).toBe(200);
    expect(await listed(admin, json.id)).toMatchObject({
      inactive_scopes: ["upload"],
      state: "working",
    });
    await set(maker.userId, { disabled_at: new Date() });
    expect(refusal(await withKey(json.key))).toEqual([401, "key_invalid"]);
    expect((await listed(admin, json.id)).state).toBe("creator_disabled");
  });

  test("at every use: a required second factor that its maker lacks leaves only reading", async () => {
    const maker = await person("viewer", "uploader");
    const { json } = await make(maker, ["read", "upload"]);
    const { database } = server.deps;
    const rows = [{ role: "uploader" as const }];
    await database.insertInto("second_factor_roles").values(rows).execute();
    try {
      expect(await listed(admin, json.id)).toMatchObject({
        inactive_scopes: ["upload"],
        state: "working",
      });
      expect((await withKey(json.key)).status).toBe(200);
      const options = { headers: { authorization: `Bearer ${json.key}` } };
      const upload = await server.nobody.post(
        "/api/batches?file_name=x.csv",
        "a,b\n1,2\n",
        options,
      );
      expect(refusal(upload)).toEqual([403, "forbidden"]);
    } finally {
      await database.deleteFrom("second_factor_roles").where("role", "=", "uploader").execute();
    }
    expect((await listed(admin, json.id)).inactive_scopes).toEqual([]);
  });

  test("even before this rule: an admin's older key has lost the right operate", async () => {
    const key = await server.newKey(["read", "operate"], admin);
    expect((await key.get("/api/batches")).status).toBe(200);
    const refused = await key.post("/api/lanes/pause", { lane: "all", reason: "a test" });
    expect(refusal(refused)).toEqual([403, "forbidden"]);
  });

  test("prevents editing a key's rights in the database", async () => {
    const { json } = await make(await person("viewer"), ["read"]);
    const edits = [
      sql`update api_keys set scopes = '{read,operate}' where id = ${json.id}`,
      sql`update api_keys set created_by = ${server.as("operator").userId} where id = ${json.id}`,
      sql`update api_keys set needs_confirmation = not needs_confirmation where id = ${json.id}`,
      sql`update api_keys set expires_at = expires_at + interval '1 day' where id = ${json.id}`,
    ];
    for (const edit of edits) {
      await expect(edit.execute(server.deps.database)).rejects.toThrow("do not change");
    }
  });
});

describe("own keys", () => {
  test("are listed for their maker, and all keys for an admin", async () => {
    const [one, other] = [await person("viewer"), await person("viewer")];
    const { json } = await make(one, ["read"]);
    expect(await listed(one, json.id)).toMatchObject({
      own: true,
      state: "working",
      inactive_scopes: [],
    });
    expect(await listed(admin, json.id)).toMatchObject({ own: false });
    expect(await listed(other, json.id)).toBeUndefined();
  });

  test("are revoked only by their maker or an admin", async () => {
    const [one, other] = [await person("viewer"), await person("approver", "operator")];
    for (const by of [one, admin]) {
      const { json } = await make(one, ["read"]);
      const revoke = (who: Caller) => who.send("DELETE", `/api/keys/${json.id}`);
      expect(refusal(await revoke(other))).toEqual([404, "not_found"]);
      expect((await withKey(json.key)).status).toBe(200);
      expect((await revoke(by)).status).toBe(204);
      expect(refusal(await withKey(json.key))).toEqual([401, "key_invalid"]);
      expect(refusal(await revoke(by))).toEqual([404, "not_found"]);
    }
  });
});

describe("a key that may operate or reveal", () => {
  test.each<[KeyScope]>([["operate"], ["reveal"]])(
    "(%s) works only after an admin has confirmed it",
    async (scope) => {
      const maker = await person("operator");
      const { json } = await make(maker, ["read", scope]);
      expect(json.unconfirmed).toBe(true);
      const waits = await withKey(json.key);
      expect(refusal(waits)).toEqual([403, "key_unconfirmed"]);
      expect(waits.json.title).toBe(
        "This API key is not confirmed: an admin other than its creator must confirm it under Settings",
      );
      expect((await listed(maker, json.id)).state).toBe("unconfirmed");
      expect(refusal(await confirm(maker, await pendingFor(scope)))).toEqual([403, "forbidden"]);
      expect((await confirm(admin, await pendingFor(scope))).status).toBe(200);
      expect((await withKey(json.key)).status).toBe(200);
      expect(await listed(maker, json.id)).toMatchObject({ state: "working", confirm_until: null });
      expect(await auditOf(json.id)).toEqual([
        `user:${maker.userId} key_create`,
        `user:${admin.userId} key_confirm`,
      ]);
    },
  );

  test("is not confirmed by its maker, even an admin, nor by a user who is not an admin", async () => {
    const maker = await person("operator", "admin");
    const { json } = await make(maker, ["operate"]);
    expect(refusal(await confirm(maker, await pendingFor("operate")))).toEqual([403, "own_change"]);
    const { database } = server.deps;
    const at = new Date(clock.nowMs());
    for (const by of [maker.userId, server.as("operator").userId]) {
      await expect(confirmApiKey(database, { id: json.id, by, at })).rejects.toThrow(/admin|check/);
    }
    expect(refusal(await withKey(json.key))).toEqual([403, "key_unconfirmed"]);
    await maker.send("DELETE", `/api/keys/${json.id}`);
  });

  test("cannot be confirmed after three days or after a change of its maker's roles", async () => {
    const maker = await person("operator");
    const late = await make(maker, ["operate"]);
    clock.put(3 * DAY_MS);
    await Promise.all([steppedUp(admin), steppedUp(maker)]);
    expect((await listed(maker, late.json.id)).state).toBe("confirmation_expired");
    const changed = await make(maker, ["reveal"]);
    const id = await pendingFor("reveal");
    await set(maker.userId, { roles: ["operator", "viewer"] });
    expect(refusal(await confirm(admin, id))).toEqual([409, "content_changed"]);
    for (const { json } of [late, changed]) {
      expect(refusal(await withKey(json.key))).toEqual([403, "key_unconfirmed"]);
    }
    await admin.post(`/api/pending-changes/${id}/withdraw`);
  });

  test("is revoked when an admin refuses it, and a revocation by its maker removes the proposal", async () => {
    const maker = await person("operator");
    const refused = await make(maker, ["operate"]);
    const id = await pendingFor("operate");
    expect((await admin.post(`/api/pending-changes/${id}/withdraw`)).status).toBe(204);
    expect(refusal(await withKey(refused.json.key))).toEqual([401, "key_invalid"]);
    const revoked = await make(maker, ["operate"]);
    const other = await pendingFor("operate");
    expect((await maker.send("DELETE", `/api/keys/${revoked.json.id}`)).status).toBe(204);
    expect(await pendingFor("operate")).toBeUndefined();
    expect(refusal(await confirm(admin, other))).toEqual([409, "wrong_state"]);
  });
});

test("ends as revoked after a concurrent confirmation and revocation, and counts one of two confirmations", async () => {
  const maker = await server.newUser(ROLE_NAMES);
  const by = { id: maker.userId, actor: `user:${maker.userId}` };
  const admins = [admin, await server.newUser(["admin"])].map(({ userId }) => ({
    id: userId,
    actor: `user:${userId}`,
  }));
  const expiresAt = new Date(clock.nowMs() + DAY_MS);
  const wish = { name: "raced", scopes: ["operate"], expiresAt } as const;
  const keyOf = async () => {
    const made = await createKey(wish, by, server.deps);
    if (!made.ok) throw new Error("not made");
    return { ...made.value, change: (await pendingFor("raced")) ?? "" };
  };
  const first = await keyOf();
  const twice = await Promise.all(
    admins.map((each) => confirmChange(first.change, each, server.deps)),
  );
  expect(twice.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await auditOf(first.id)).filter((line) => line.endsWith("key_confirm"))).toHaveLength(1);

  for (let round = 0; round < 5; round++) {
    const { id, token, change } = await keyOf();
    const [admin1 = by] = admins;
    await Promise.all([
      confirmChange(change, admin1, server.deps),
      revokeKey(id, { ...by, isAdmin: false }, server.deps),
    ]);
    expect(refusal(await withKey(token.reveal()))).toEqual([401, "key_invalid"]);
  }
});

describe("a rotation", () => {
  test("replaces a key by a new one, and the old one expires after the overlap", async () => {
    const by = await person("uploader");
    const old = (await make(by, ["read", "upload"])).json;
    const rotated = await by.post(`/api/keys/${old.id}/rotate`, { overlap_hours: 2 });
    expect(rotated).toMatchObject({ status: 201, json: { unconfirmed: false } });
    expect((await withKey(old.key)).status).toBe(200);
    expect((await withKey(rotated.json.key)).status).toBe(200);
    const before = await listed(by, old.id);
    expect(before.replaced_by).toBe(rotated.json.id);
    expect(Date.parse(before.expires_at) - clock.nowMs()).toBe(2 * 60 * MINUTE_MS);
    const after = await listed(by, rotated.json.id);
    expect(after).toMatchObject({ scopes: ["read", "upload"], replaced_by: null });
    expect(Date.parse(after.expires_at) - clock.nowMs()).toBe(30 * DAY_MS);
    expect(refusal(await by.post(`/api/keys/${old.id}/rotate`, {}))).toEqual([404, "not_found"]);
  });

  test("needs the maker of the key, and rights that the maker still has", async () => {
    const by = await person("uploader");
    const { id } = (await make(by, ["upload"])).json;
    expect(refusal(await admin.post(`/api/keys/${id}/rotate`, {}))).toEqual([404, "not_found"]);
    await set(by.userId, { roles: ["viewer"] });
    expect(refusal(await by.post(`/api/keys/${id}/rotate`, {}))).toEqual([
      403,
      "scopes_exceed_creator",
    ]);
  });
});
