import type { Answer } from "../dashboard/server.ts";
import type { Scene } from "./scene.ts";

/** Actions on failures, and the audit line of each. */
export function assignmentActions({ operator, held }: Scene) {
  const cause = { state: "on_hold", reason: "resend_window_over" };
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const seen_at = new Date().toISOString();
  const put = async (path: string, body: object): Promise<Answer> =>
    operator.send("PUT", path, { body });
  const onPayout = async (deed: string, body: object): Promise<Answer> =>
    put(`/api/payouts/${await held()}/${deed}`, body);
  return {
    "PUT /api/failures/assignment": [
      "assign",
      async () => {
        await held();
        return put("/api/failures/assignment", { ...cause, to: operator.userId });
      },
    ],
    "POST /api/failures/notes": [
      "note",
      async () => {
        await held();
        return operator.post("/api/failures/notes", { ...cause, text: "asked their support" });
      },
    ],
    "PUT /api/failures/snooze": [
      "snooze",
      async () => {
        await held();
        return put("/api/failures/snooze", { ...cause, until, seen_at });
      },
    ],
    "PUT /api/payouts/:code/assignment": [
      "assign",
      () => onPayout("assignment", { to: operator.userId }),
    ],
    "PUT /api/payouts/:code/snooze": [
      "snooze",
      () => onPayout("snooze", { until, seen_at: new Date(Date.now() + 60_000).toISOString() }),
    ],
  } as const satisfies Record<string, readonly [string, () => Promise<Answer>]>;
}
