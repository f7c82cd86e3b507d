import { sql } from "kysely";
import { approveAt } from "../dashboard/acknowledge.ts";
import type { Answer } from "../dashboard/server.ts";
import { REASON, type Scene } from "./scene.ts";

const AT = "2099-12-31 09:00 Asia/Kolkata";

/** Actions with send times and schedules, and the audit line of each. */
export function scheduleActions(scene: Scene) {
  const { checker, operator, uploader, waiting, approval, server } = scene;
  /** Approved, to be sent in a distant year. */
  async function timed(): Promise<string> {
    const batch = await waiting();
    const body = { ...approval(batch), send: { at: AT } };
    await approveAt(checker, `/api/batches/${batch.id}`, body);
    return batch.id;
  }
  const calendar = { rule: { every: "day" }, time: "09:00", zone: "Asia/Kolkata" };
  async function schedule(): Promise<Answer> {
    const { id: list } = await waiting();
    return uploader.post("/api/schedules", { name: "daily", calendar, list });
  }
  /** The first occurrence of this schedule is missed. Returns its day. */
  async function missed(): Promise<{ readonly id: string; readonly day: string }> {
    const { id, occurrences } = (await schedule()).json;
    await sql`update occurrences set state = 'missed' where schedule_id = ${id}`.execute(
      server.deps.database,
    );
    return { id, day: occurrences[0].day };
  }
  const steered = async (how: string, before?: string): Promise<Answer> => {
    const { id } = (await schedule()).json;
    if (before) await operator.post(`/api/schedules/${id}/${before}`, REASON);
    return operator.post(`/api/schedules/${id}/${how}`, REASON);
  };
  return {
    "POST /api/schedules": ["create_schedule", schedule],
    "POST /api/schedules/preview": null,
    "PUT /api/schedules/:id": [
      "edit_schedule",
      async (): Promise<Answer> => {
        const { id, list, version } = (await schedule()).json;
        const hours = { lead_hours: 24, grace_hours: 4, expires_hours: 24 };
        const body = { name: "weekdays", calendar, list, version, ...hours };
        return uploader.send("PUT", `/api/schedules/${id}`, { body });
      },
    ],
    "POST /api/schedules/:id/pause": ["pause_schedule", () => steered("pause")],
    "POST /api/schedules/:id/resume": ["resume_schedule", () => steered("resume", "pause")],
    "POST /api/schedules/:id/remove": ["remove_schedule", () => steered("remove")],
    "POST /api/schedules/:id/occurrences/:day/decide": [
      "skip_occurrence",
      async (): Promise<Answer> => {
        const { id, day } = await missed();
        const body = { ...REASON, decision: "skip" };
        return operator.post(`/api/schedules/${id}/occurrences/${day}/decide`, body);
      },
    ],
    "POST /api/schedules/:id/decide": [
      "skip_occurrence",
      async (): Promise<Answer> => {
        const { id } = await missed();
        const { undecided } = (await operator.get(`/api/schedules/${id}`)).json;
        const days = undecided.map(({ day }: { day: string }) => day);
        const body = { ...REASON, decision: "skip", days };
        return operator.post(`/api/schedules/${id}/decide`, body);
      },
    ],
    "POST /api/batches/:id/reschedule": [
      "reschedule",
      async (): Promise<Answer> => {
        const body = { ...REASON, at: AT.replace("2099", "2100") };
        return operator.post(`/api/batches/${await timed()}/reschedule`, body);
      },
    ],
    "POST /api/batches/:id/send-now": [
      "send_now",
      async (): Promise<Answer> => checker.post(`/api/batches/${await timed()}/send-now`, REASON),
    ],
  } as const;
}
