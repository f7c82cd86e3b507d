import type { Answer } from "./desk.ts";
import { REASON, type Scene } from "./scene.ts";

const AT = "2099-12-31 09:00 Asia/Kolkata";

/** What people do with times, and the line that each leaves on the audit log. */
export function timedDeeds({ checker, operator, waiting, approval }: Scene) {
  /** Approved, to go out in a far year. */
  async function timed(): Promise<string> {
    const batch = await waiting();
    const body = { ...approval(batch), send: { at: AT } };
    await checker.post(`/api/batches/${batch.id}/approve`, body);
    return batch.id;
  }
  return {
    "POST /api/batches/:id/put-off": [
      "put_off",
      async (): Promise<Answer> => {
        const body = { ...REASON, at: AT.replace("2099", "2100") };
        return operator.post(`/api/batches/${await timed()}/put-off`, body);
      },
    ],
    "POST /api/batches/:id/send-now": [
      "send_now",
      async (): Promise<Answer> => checker.post(`/api/batches/${await timed()}/send-now`, REASON),
    ],
  } as const;
}
