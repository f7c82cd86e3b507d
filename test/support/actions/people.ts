import { type Clock, systemClock } from "#base/clock.ts";
import { setRoles } from "#ledger/people/users.ts";
import type { Role } from "#people/roles.ts";
import type { Answer, Caller, TestServer } from "../dashboard/server.ts";

export const MINUTE_MS = 60_000;
export const PASSWORD = "a walrus in the rain";
export const OTHER = "seven quiet lighthouses";

/** A clock that stands still until a test advances it. */
export function stillClock(): Clock & { put(forwardMs: number): void } {
  let nowMs = Date.now();
  return {
    ...systemClock,
    nowMs: () => nowMs,
    put(forwardMs) {
      nowMs += forwardMs;
    },
  };
}

/** Setup of tests about people. */
export function peopleOf(desk: () => TestServer, clock: Clock) {
  let people = 0;

  const steppedUp = async (caller: Caller): Promise<Caller> => {
    const until = new Date(clock.nowMs() + 5 * MINUTE_MS);
    const { database } = desk().deps;
    const now = new Date(clock.nowMs());
    const by = { stepped_up_until: until, stepped_up_by: "second_factor" } as const;
    const set = { ...by, seen_at: now, expires_at: until };
    await database.updateTable("sessions").set(set).where("user_id", "=", caller.userId).execute();
    return caller;
  };
  const newAdmin = async (): Promise<Caller> => steppedUp(await desk().newUser(["admin"]));

  return {
    steppedUp,
    newAdmin,
    /** An invited user who has chosen PASSWORD. */
    async joined(roles: readonly Role[]) {
      const email = `person-${people++}@example.test`;
      const admin = await newAdmin();
      const invitation = { email, name: `Person ${people}`, roles: ["viewer"] };
      const { json } = await admin.post("/api/users", invitation);
      // After the setup, a lone admin cannot invite an approver immediately.
      await setRoles(desk().deps.database, json.user_id, roles);
      const token = tokenOf(json);
      const answer = await desk().nobody.post("/api/links/use", { token, password: PASSWORD });
      return { email, token, admin, user: desk().entered(answer) };
    },
    signIn: (email: string, password = PASSWORD, code?: string): Promise<Answer> =>
      desk().nobody.post("/api/session", { email, password, ...(code ? { code } : {}) }),
    async auditOf(object: string): Promise<string[]> {
      const { database } = desk().deps;
      const lines = await database
        .selectFrom("audit")
        .select(["actor", "action"])
        .where("object", "=", object)
        .orderBy("seq")
        .execute();
      return lines.map(({ actor, action }) => `${actor} ${action}`);
    },
  };
}

/** The token of a link that was shown. */
export const tokenOf = ({ path }: { readonly path: string }): string => path.split("#")[1] ?? "";
