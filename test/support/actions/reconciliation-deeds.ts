import type { Answer } from "../dashboard/server.ts";
import { SETTLED_DAY, settledDayWith } from "../reconciliation/statement-of-day.ts";
import type { Scene } from "./scene.ts";

/** Actions on statements and breaks, and the audit line of each. */
export function reconciliationActions({ server, operator, checker }: Scene) {
  let uploaded: Promise<Answer> | null = null;
  const upload = async (): Promise<Answer> => {
    const body = await settledDayWith(server.deps.config.DATABASE_URL ?? "", { plus_one: 1 });
    const { lane, day } = SETTLED_DAY;
    const query = new URLSearchParams({ lane, day, file_name: "a.csv", confirm_mapping: "true" });
    return operator.send("POST", `/api/statements?${query.toString()}&zone=UTC`, {
      body,
      headers: { "content-type": "text/csv" },
    });
  };
  /** Uploads a second file for the day, which an approver must confirm. */
  const replace = async (): Promise<string> => {
    await (uploaded ??= upload());
    const body = "Transaction Code,Amount,Status\nPRNEW,1.00,Completed\n";
    const { lane, day } = SETTLED_DAY;
    const query = new URLSearchParams({ lane, day, file_name: "b.csv", confirm_mapping: "true" });
    const columns = ["Transaction Code=code", "Amount=amount", "Status=status"];
    for (const each of columns) query.append("columns", each);
    const headers = { "content-type": "text/csv" };
    const sent = await operator.send("POST", `/api/statements?${query.toString()}`, {
      body,
      headers,
    });
    return sent.json.statement.id;
  };
  const onBreak = async (method: string, step: string, body: object): Promise<Answer> => {
    await (uploaded ??= upload());
    const [{ id }] = (await operator.get("/api/breaks")).json.items;
    return operator.send(method, `/api/breaks/${id}/${step}`, { body: { ...body, version: 1 } });
  };
  /** Previews an action on all breaks, and applies it. */
  const onBreaks = async (action: string, body: object): Promise<Answer> => {
    await (uploaded ??= upload());
    const { json } = await operator.post("/api/break-actions", { action, filter: {} });
    return operator.post(`/api/break-actions/${json.id}/${action}`, body);
  };
  const onDay = async (step: string, body: object = {}): Promise<Answer> => {
    await (uploaded ??= upload());
    const { lane, day } = SETTLED_DAY;
    return operator.post(`/api/days/${day}/${step}`, { lane, ...body });
  };
  let opened: Promise<Answer> | null = null;
  const open = () => (opened ??= onDay("open", { balance: "1000.00", reason: "bank statement" }));
  const adjust = async () => {
    await open();
    return onDay("adjust", { amount: "-5.00", reason: "fee of the bank" });
  };
  let closed: Promise<Answer> | null = null;
  const close = async () => {
    await open();
    return (closed ??= onDay("close"));
  };
  const propose = () => onBreak("POST", "propose", { explanation: "rounded by the bank" });
  return {
    "POST /api/statements": ["load_statement", () => (uploaded ??= upload())],
    "POST /api/statements/:id/decide": [
      "refuse_statement",
      async () => checker.post(`/api/statements/${await replace()}/decide`, { agree: false }),
    ],
    "POST /api/break-actions": null,
    "POST /api/break-decisions": null,
    "POST /api/break-actions/:id/assign": [
      "apply_break_action",
      () => onBreaks("assign", { to: operator.userId }),
    ],
    "POST /api/break-actions/:id/propose": [
      "apply_break_action",
      () => onBreaks("propose", { explanation: "rounded by the bank" }),
    ],
    "POST /api/break-decisions/:id/apply": [
      "apply_break_action",
      async () => {
        await onBreaks("propose", { explanation: "rounded by the bank" });
        const { json } = await checker.post("/api/break-decisions", { agree: false, filter: {} });
        return checker.post(`/api/break-decisions/${json.id}/apply`);
      },
    ],
    "PUT /api/breaks/:id/assignment": [
      "assign_break",
      () => onBreak("PUT", "assignment", { to: operator.userId }),
    ],
    "POST /api/breaks/:id/comments": [
      "comment_break",
      () => onBreak("POST", "comments", { text: "asked their support" }),
    ],
    "POST /api/days/:day/open": ["open_days", open],
    "POST /api/days/:day/adjust": ["propose_adjustment", adjust],
    "POST /api/days/:day/close": ["close_day", close],
    "POST /api/days/:day/reopen": [
      "propose_reopening",
      async () => {
        await close();
        return onDay("reopen", { reason: "wrong balance" });
      },
    ],
    "POST /api/days/:day/decide": [
      "refuse_adjustment",
      async () => {
        const { proposals } = (await adjust()).json;
        const waiting = proposals.find((each: { kind: string }) => each.kind === "adjustment");
        const { lane, day } = SETTLED_DAY;
        const body = { lane, agree: false, proposal: waiting.id };
        return checker.post(`/api/days/${day}/decide`, body);
      },
    ],
    "POST /api/breaks/:id/propose": ["propose_break", propose],
    "POST /api/breaks/:id/decide": [
      "resolve_break",
      async () => {
        const { id, proposal } = (await propose()).json;
        const body = { agree: true, version: 1, proposal: proposal.id };
        return checker.post(`/api/breaks/${id}/decide`, body);
      },
    ],
  } as const satisfies Record<string, readonly [string, () => Promise<Answer>] | null>;
}
