import { type Clock, systemClock } from "#clock.ts";
import type { Answer, Caller, TestDesk } from "./desk.ts";

export const MINUTE_MS = 60_000;
export const PASSWORD = "a walrus in the rain";
export const OTHER = "seven quiet lighthouses";

/** A clock that stands still until a test puts it forward. */
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

/** What tests about people do before they begin. */
export function peopleOf(desk: () => TestDesk, clock: Clock) {
  let people = 0;

  const steppedUp = async (caller: Caller): Promise<Caller> => {
    const until = new Date(clock.nowMs() + 5 * MINUTE_MS);
    const { database } = desk().desk;
    const set = { stepped_up_until: until, seen_at: new Date(clock.nowMs()), expires_at: until };
    await database.updateTable("sessions").set(set).where("user_id", "=", caller.userId).execute();
    return caller;
  };
  const newAdmin = async (): Promise<Caller> => steppedUp(await desk().newUser(["admin"]));

  return {
    steppedUp,
    newAdmin,
    /** Somebody who was invited and has chosen PASSWORD. */
    async joined(roles: readonly string[]) {
      const email = `person-${people++}@example.test`;
      const admin = await newAdmin();
      const { json } = await admin.post("/api/users", { email, name: `Person ${people}`, roles });
      const token = tokenOf(json);
      const answer = await desk().nobody.post("/api/links/use", { token, password: PASSWORD });
      return { email, token, admin, user: desk().entered(answer) };
    },
    signIn: (email: string, password = PASSWORD, code?: string): Promise<Answer> =>
      desk().nobody.post("/api/session", { email, password, ...(code ? { code } : {}) }),
    async auditOf(object: string): Promise<string[]> {
      const { database } = desk().desk;
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

/** Of a link that was shown. */
export const tokenOf = ({ path }: { readonly path: string }): string => path.split("#")[1] ?? "";
