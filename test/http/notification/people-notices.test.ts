/** Messages about people, API keys and second factors: to channels, and to the user concerned. */
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyDueChanges } from "#flows/people/lone-admin.ts";
import { resetLink, setupLink } from "#flows/people/links.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import {
  MINUTE_MS,
  OTHER,
  PASSWORD,
  peopleOf,
  stillClock,
  tokenOf,
} from "../../support/actions/people.ts";
import {
  both,
  CHANNEL,
  mailsOf,
  peopleChannel,
  sent,
  sorted,
  subjectOf,
} from "../../support/actions/people-mails.ts";

const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = stillClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock }, []);
  await peopleChannel(server.deps.database, server.deps.sealer);
});
afterAll(() => server.close());
const { steppedUp, joined, signIn } = peopleOf(() => server, clock);
const { heard, person } = mailsOf(() => server, steppedUp);

/** Sets up a second factor. Returns its recovery codes. */
async function enrolled(caller: Caller): Promise<string[]> {
  const { json } = await caller.post("/api/profile/totp");
  const totp = new TOTP({ secret: Secret.fromBase32(json.secret), algorithm: "SHA1" });
  const code = totp.generate({ timestamp: clock.nowMs() });
  const { enrolment } = json;
  const kept = await caller.post("/api/profile/totp/confirm", { enrolment, code });
  return kept.json.recovery_codes;
}
let ada: Awaited<ReturnType<typeof person>>;
beforeEach(async () => {
  const { database } = server.deps;
  await sql`update users set disabled_at = to_timestamp(0) where roles && array['admin', 'approver']`.execute(
    database,
  );
  await sql`delete from second_factor_roles`.execute(database);
  ada = await person("admin");
  await heard();
});

describe("a channel and the user concerned receive one message each", () => {
  test("about an account", async () => {
    const invitation = { email: "ina@example.test", name: "Ina", roles: ["viewer"] };
    const { json } = await ada.post("/api/users", invitation);
    let list = await heard();
    expect(sent(list)).toEqual(both("ina@example.test", "invite"));
    expect(list[0]?.text).toContain(`(${ada.email}) invited Ina (ina@example.test)`);
    expect(list[0]?.text).toContain("If you did not expect this change");
    const user = `/api/users/${json.user_id}`;

    const token = tokenOf(json);
    const used = await server.nobody.post("/api/links/use", { token, password: PASSWORD });
    expect(used.status).toBe(200);
    list = await heard();
    expect(sent(list)).toEqual(both("ina@example.test", "join"));
    expect(list[0]?.text).toContain("IP address: 127.0.0.1");
    expect(JSON.stringify(list)).not.toContain(token);

    await ada.send("PUT", `${user}/roles`, { body: { roles: ["uploader", "operator"] } });
    list = await heard();
    expect(sent(list)).toEqual(both("ina@example.test", "roles"));
    expect(list[1]?.text).toContain("roles from viewer to uploader, operator");
    await ada.post(`${user}/disable`);
    expect(sent(await heard())).toEqual(both("ina@example.test", "disable"));
    await ada.post(`${user}/enable`);
    expect(sent(await heard())).toEqual(both("ina@example.test", "enable"));

    const link = await ada.post(`${user}/link`, {});
    expect(link.status).toBe(200);
    list = await heard();
    expect(sent(list)).toEqual(both("ina@example.test", "reset_link"));
    expect(JSON.stringify(list)).not.toContain(tokenOf(link.json));

    // As `payrun user reset-link` on the machine.
    const order = { userId: json.user_id, dropsTotp: true };
    const made = await resetLink(order, "cli:root", server.deps);
    if (!made.ok) throw new Error(made.error);
    list = await heard();
    expect(sent(list)).toEqual(both("ina@example.test", "reset_link"));
    expect(list[0]?.text).toContain("root on the server's command line created a new link");
    expect(list[0]?.text).toContain("removed that user's second factor");
    expect(JSON.stringify(list)).not.toContain(made.value.token.reveal());
  });

  test("about a second factor, a password and a recovery code", async () => {
    const { user, email } = await joined(["viewer"]);
    await heard();
    await steppedUp(user);
    const codes = await enrolled(user);
    let list = await heard();
    expect(sent(list)).toEqual(both(email, "totp_on"));
    expect(list.map(({ text }) => text).join("\n")).toContain("set up a second factor");
    const personal = list.find(({ to }) => to === email)?.text;
    expect(personal).toContain("If this was not you");
    expect(personal).toContain("https://desk.example/profile");
    expect(list.find(({ to }) => to === CHANNEL)?.text).not.toContain("If this was not you");
    expect(codes.some((code) => JSON.stringify(list).includes(code))).toBe(false);

    expect((await signIn(email, PASSWORD, codes[0])).status).toBe(200);
    list = await heard();
    expect(sent(list)).toEqual(both(email, "recovery_code_used"));
    expect(list[0]?.text).toContain("IP address: 127.0.0.1");
    // A used code is refused, and causes no message.
    expect((await signIn(email, PASSWORD, codes[0])).status).toBe(401);
    expect(await heard()).toEqual([]);
    expect((await user.post("/api/session/step-up", { code: codes[1] })).status).toBe(200);
    expect(sent(await heard())).toEqual(both(email, "recovery_code_used"));

    await enrolled(user);
    list = await heard();
    expect(sent(list)).toEqual(both(email, "totp_on"));
    expect(list[0]?.text).toContain("replaced their second factor");
    await steppedUp(user);
    await user.send("DELETE", "/api/profile/totp");
    expect(sent(await heard())).toEqual(both(email, "totp_off"));

    const change = { current: PASSWORD, password: OTHER };
    expect((await user.post("/api/profile/password", change)).status).toBe(200);
    list = await heard();
    expect(sent(list)).toEqual(both(email, "password"));
    expect(list[0]?.text).toContain("IP address: 127.0.0.1");
    expect(JSON.stringify(list)).not.toContain(OTHER);
  });

  test("about an API key, which its creator receives", async () => {
    const maker = await person("operator");
    const expiresAt = new Date(clock.nowMs() + DAY_MS).toISOString();
    const key = { name: "nightly", scopes: ["operate"], expires_at: expiresAt };
    const { json } = await maker.post("/api/keys", key);
    let list = await heard();
    expect(sent(list)).toEqual(both(maker.email, "key_create"));
    expect(list[0]?.text).toContain("will not work until an admin confirms it");
    expect(JSON.stringify(list)).not.toContain(json.key);
    expect(json.key).toMatch(/^pk_/);

    const [waiting] = (await ada.get("/api/pending-changes")).json.items;
    expect((await ada.post(`/api/pending-changes/${waiting.id}/confirm`)).status).toBe(200);
    list = await heard();
    expect(sent(list)).toEqual(
      [...both(maker.email, "key_confirm"), `${CHANNEL} ${subjectOf("confirm_change")}`].toSorted(
        (one, other) => one.localeCompare(other),
      ),
    );
    expect((await ada.send("DELETE", `/api/keys/${json.id}`)).status).toBe(204);
    expect(sent(await heard())).toEqual(both(maker.email, "key_revoke"));
  });
});

describe("a change that needs a second admin", () => {
  const RULES = { kind: "approval_rules", base: 2, rules: [] };
  let hours = 30;
  const proposed = async (change: object = { ...RULES, hours: (hours += 1) }) => {
    const { status, json } = await ada.post("/api/pending-changes", change);
    expect(status).toBe(201);
    return `/api/pending-changes/${json.id}`;
  };

  test("is announced when it is proposed, confirmed and rejected", async () => {
    const ben = await person("admin");
    const limits = { kind: "payout_limits", zone: "Asia/Kolkata", when_short: "warn", limits: [] };
    for (const [change, action] of [
      [undefined, "approval_rules"],
      [limits, "payout_limits"],
    ] as const) {
      const path = await proposed(change);
      let list = await heard();
      expect(sent(list)).toEqual([`${CHANNEL} ${subjectOf("propose_change")}`]);
      expect(list[0]?.text).toContain("will take effect when another admin confirms it");
      expect((await ben.post(`${path}/confirm`)).status).toBe(200);
      list = await heard();
      const proposer = `${ada.email} ${subjectOf("confirm_change")}`;
      const lines = [subjectOf("confirm_change"), subjectOf(action)];
      expect(sorted(...sent(list))).toEqual(
        sorted(proposer, ...lines.map((subject) => `${CHANNEL} ${subject}`)),
      );
    }

    const someone = await person("viewer");
    const path = await proposed({ kind: "roles", user_id: someone.userId, roles: ["approver"] });
    let list = await heard();
    expect(sent(list)).toEqual(sorted(...both(someone.email, "propose_change")));
    expect((await ben.post(`${path}/withdraw`)).status).toBe(204);
    list = await heard();
    expect(sent(list)).toEqual(
      sorted(
        `${ada.email} ${subjectOf("withdraw_change")}`,
        ...both(someone.email, "withdraw_change"),
      ),
    );
    expect(list[0]?.text).toContain(`rejected a change proposed by admin (${ada.email})`);
    const body = { roles: ["operator"] };
    expect((await ada.send("PUT", "/api/second-factor-policy", { body })).status).toBeLessThan(300);
    list = await heard();
    expect(sent(list)).toEqual([`${CHANNEL} ${subjectOf("second_factor_policy")}`]);
    expect(list[0]?.text).toContain("from none to operator");
  });

  test("of a lone admin is announced to all approvers and admins, with its time and outcome", async () => {
    const [approver, gone, viewer] = [
      await person("approver"),
      await person("approver"),
      await person("viewer"),
    ];
    await sql`update users set disabled_at = now() where id = ${gone.userId}`.execute(
      server.deps.database,
    );
    const takesEffect = new Date(clock.nowMs() + DAY_MS).toISOString().slice(0, 16);
    const change = { kind: "roles", user_id: viewer.userId, roles: ["approver"] };
    const path = await proposed(change);
    const list = await heard();
    const inform = (...people: { email: string }[]) =>
      sorted(...people.map(({ email }) => email), CHANNEL);
    expect(list.map(({ to }) => to)).toEqual(inform(ada, approver, viewer));
    for (const { text } of list) {
      expect(text).toContain(`reject it before ${takesEffect.replace("T", " ")} UTC`);
      expect(text).toContain(`give viewer (${viewer.email}) the roles: approver`);
    }
    expect((await approver.post(`${path}/withdraw`)).status).toBe(204);
    expect((await heard()).map(({ to }) => to)).toEqual(inform(ada, approver, viewer));

    await proposed(change);
    await proposed();
    clock.put(DAY_MS);
    await heard();
    // The first change is void, because the roles that it would replace have changed.
    await sql`update users set roles = '{uploader}' where id = ${viewer.userId}`.execute(
      server.deps.database,
    );
    await applyDueChanges(server.deps);
    const outcome = await heard();
    for (const [action, people] of [
      ["void_change", inform(ada, approver, viewer)],
      ["apply_change", inform(ada, approver)],
    ] as const) {
      const about = outcome.filter(({ subject }) => subject === subjectOf(action));
      expect([action, about.map(({ to }) => to)]).toEqual([action, people]);
    }
  });
});

test("a link for the first admin is announced to channels", async () => {
  const setup = await startTestServer({}, []);
  await peopleChannel(setup.deps.database, setup.deps.sealer);
  const link = await setupLink("cli:root", setup.deps);
  const list = await mailsOf(() => setup, steppedUp).heard();
  expect(sent(list)).toEqual([`${CHANNEL} ${subjectOf("setup_link")}`]);
  expect(link).not.toBeNull();
  expect(list[0]?.text).not.toContain(link?.token.reveal());
  await setup.close();
});
