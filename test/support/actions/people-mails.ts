import { sql } from "kysely";
import { notify, type NotifyDeps } from "#flows/notification/notify.ts";
import { insertChannel } from "#ledger/notification/channels.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { setPassword } from "#ledger/people/users.ts";
import type { Mailer } from "#notification/mail.ts";
import { PEOPLE_ACTIONS } from "#notification/people.ts";
import type { Role } from "#people/roles.ts";
import type { Caller, TestServer } from "../dashboard/server.ts";

/** The address of the channel that receives the event `people`. */
export const CHANNEL = "security@example.test";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export const peopleChannel = (database: Database, sealer: Sealer): Promise<void> =>
  insertChannel(database, sealer, {
    id: "CH1",
    name: "security",
    kind: "email",
    target: CHANNEL,
    events: ["people"],
    secret: null,
    actor: "user:US1",
    at: new Date(),
  });

/** The e-mails that a dashboard sends, and people with addresses. */
export function mailsOf(desk: () => TestServer, steppedUp: (caller: Caller) => Promise<Caller>) {
  const mails: Mail[] = [];
  let isDown = false;
  const mailer: Mailer = {
    async send(to, { subject, text }) {
      if (isDown) return { ok: false, says: "connect ECONNREFUSED" };
      mails.push({ to, subject, text });
      return { ok: true, says: "250 taken" };
    },
  };
  const deps = (change: Partial<NotifyDeps> = {}): NotifyDeps => ({
    ...desk().deps,
    alarms: async () => [],
    mailer,
    webhooks: { allowPrivate: true, timeoutMs: 5_000 },
    dashboardUrl: "https://desk.example",
    ...change,
  });
  return {
    mails,
    /** One round of one server. */
    send: (change: Partial<NotifyDeps>): Promise<number> => notify(deps(change)),
    /**
     * Sends what is due, with two servers at once and again after a restart. Returns the e-mails,
     * by receiver.
     */
    async heard(change: Partial<NotifyDeps> = {}): Promise<Mail[]> {
      mails.length = 0;
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([notify(deps(change)), notify(deps(change))]);
      }
      while ((await notify(deps(change))) > 0);
      return mails.toSorted((one, other) => one.to.localeCompare(other.to));
    },
    setDown(down: boolean): void {
      isDown = down;
    },
    /** A user who has joined and signed in, with the address. */
    async person(...roles: Role[]): Promise<Caller & { readonly email: string }> {
      const caller = await steppedUp(await desk().newUser(roles));
      await setPassword(desk().deps.database, caller.userId, "$argon2id$");
      const { rows } = await sql<{ email: string }>`
        select email from users where id = ${caller.userId}`.execute(desk().deps.database);
      return { ...caller, email: rows[0]?.email ?? "" };
    },
  };
}

export const sorted = (...list: string[]): string[] =>
  list.toSorted((one, other) => one.localeCompare(other));
/** Each e-mail as its receiver and subject. */
export const sent = (list: readonly Mail[]): string[] =>
  sorted(...list.map(({ to, subject }) => `${to} ${subject}`));
type Action = keyof typeof PEOPLE_ACTIONS;
export const subjectOf = (action: Action): string => `payrun: ${PEOPLE_ACTIONS[action]}`;
/** One e-mail to the channel and one to this address. */
export const both = (email: string, action: Action): string[] =>
  sorted(`${CHANNEL} ${subjectOf(action)}`, `${email} ${subjectOf(action)}`);
