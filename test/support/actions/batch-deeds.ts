import { approveAt } from "../dashboard/acknowledge.ts";
import { fileText, rowsOf } from "../servers/payrun.ts";
import { type openScene, REASON } from "./scene.ts";

const SINGLE_PAYOUT = {
  user_id: "U-1",
  currency_code: "INR",
  transaction_amount: "100.00",
  account_name: "Asha Rao",
  bank_account_number: "70100000000001",
  ifsc_code: "HDFC0000001",
  bank_code: "HDFC",
  bank_name: "HDFC Bank",
};

/** Operations on batches over the API, with the audit line of each. */
export const batchActions = ({
  waiting,
  approval,
  approved,
  paused,
  repeating,
  quarantined,
  dirty,
  uploader,
  checker,
  operator,
}: Awaited<ReturnType<typeof openScene>>) =>
  ({
    "POST /api/batches": [
      "ingest",
      () => uploader.post("/api/batches?file_name=x.csv", fileText(rowsOf(1))),
    ],
    "POST /api/payouts": [
      "ingest",
      () =>
        uploader.post("/api/payouts", SINGLE_PAYOUT, { headers: { "idempotency-key": "audited" } }),
    ],
    "POST /api/batches/:id/corrections": [
      "correct",
      async () => {
        const id = await dirty();
        const rejects = (await uploader.get(`/api/batches/${id}/rejects`)).text;
        return uploader.post(`/api/batches/${id}/corrections?file_name=r.csv`, rejects);
      },
    ],
    "POST /api/batches/:id/rows/check": null,
    "POST /api/batches/:id/rows/correct": [
      "correct",
      async () => {
        const id = await dirty();
        const [first] = (await uploader.get(`/api/batches/${id}/rows?severity=error`)).json.items;
        const rows = [{ line: first.line, values: { ifsc_code: "HDFC0000001" } }];
        return uploader.post(`/api/batches/${id}/rows/correct`, { rows });
      },
    ],
    "POST /api/batches/:id/rows/leave-out": [
      "leave_out_rows",
      async () => {
        const id = await dirty();
        const [first] = (await uploader.get(`/api/batches/${id}/rows?severity=error`)).json.items;
        return uploader.post(`/api/batches/${id}/rows/leave-out`, { lines: [first.line] });
      },
    ],
    "POST /api/batches/:id/rows/put-back": [
      "put_back_rows",
      async () => {
        const id = await dirty();
        const [first] = (await uploader.get(`/api/batches/${id}/rows?severity=error`)).json.items;
        const body = { lines: [first.line] };
        await uploader.post(`/api/batches/${id}/rows/leave-out`, body);
        return uploader.post(`/api/batches/${id}/rows/put-back`, body);
      },
    ],
    "POST /api/batches/:id/row-fixes": [
      "correct",
      async () => {
        const path = `/api/batches/${await dirty("hdfc0000001")}/row-fixes`;
        const [{ kind, values }] = (await uploader.get(path)).json.items;
        return uploader.post(path, { kind, values });
      },
    ],
    "POST /api/batches/:id/request-approval": [
      "request_approval",
      async () =>
        uploader.post(`/api/batches/${await dirty()}/request-approval`, { leave_out: true }),
    ],
    "POST /api/batches/:id/approve": [
      "approve",
      async () => {
        const batch = await waiting();
        return approveAt(checker, `/api/batches/${batch.id}`, approval(batch));
      },
    ],
    "POST /api/batches/:id/withdraw-approval": [
      "withdraw_approval",
      async () => {
        const batch = await waiting(3);
        await approveAt(checker, `/api/batches/${batch.id}`, approval(batch));
        return checker.post(`/api/batches/${batch.id}/withdraw-approval`);
      },
    ],
    "POST /api/batches/:id/allow-duplicates": [
      "allow_duplicates",
      async () => {
        const batch = await repeating();
        const body = { content_digest: batch.contentDigest, ...REASON };
        return uploader.post(`/api/batches/${batch.id}/allow-duplicates`, body);
      },
    ],
    "POST /api/batches/:id/release-quarantine": [
      "release_quarantine",
      async () => operator.post(`/api/batches/${await quarantined()}/release-quarantine`, REASON),
    ],
    "POST /api/batches/:id/reject": [
      "send_back",
      async () => checker.post(`/api/batches/${(await waiting()).id}/reject`, REASON),
    ],
    "POST /api/batches/:id/withdraw": [
      "withdraw",
      async () => uploader.post(`/api/batches/${(await waiting()).id}/withdraw`, REASON),
    ],
    "POST /api/batches/:id/question": [
      "question",
      async () =>
        checker.post(`/api/batches/${(await waiting()).id}/question`, { question: "Who is U-1?" }),
    ],
    "POST /api/batches/:id/pause": [
      "pause",
      async () => operator.post(`/api/batches/${(await approved()).id}/pause`, REASON),
    ],
    "POST /api/batches/:id/resume": [
      "resume",
      async () => operator.post(`/api/batches/${await paused()}/resume`, REASON),
    ],
    "POST /api/batches/:id/priority": [
      "set_priority",
      async () => {
        const body = { priority: "urgent", ...REASON };
        return operator.post(`/api/batches/${(await approved()).id}/priority`, body);
      },
    ],
    "POST /api/batches/:id/cancel": [
      "cancel_rest",
      async () => operator.post(`/api/batches/${(await approved()).id}/cancel`, REASON),
    ],
    "POST /api/batches/:id/canary": [
      "set_canary",
      async () => checker.post(`/api/batches/${(await waiting()).id}/canary`, { payouts: 1 }),
    ],
    "POST /api/batches/:id/release": [
      "release_canary",
      async () => {
        const batch = await waiting();
        await checker.post(`/api/batches/${batch.id}/canary`, { payouts: 1 });
        await approveAt(checker, `/api/batches/${batch.id}`, approval(batch));
        return operator.post(`/api/batches/${batch.id}/release`, REASON);
      },
    ],
  }) as const;
