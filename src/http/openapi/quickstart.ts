/**
 * Markdown of the quickstart. The API description and docs/reference/api.md contain it; `npm run
 * openapi` updates both. A test runs its TypeScript program.
 */
export const QUICKSTART = `## Quickstart

Upload a file, send the batch for approval and wait for the result.

1. **Create a key.** On the dashboard, under Settings → API keys, an uploader creates a key with the permissions \`read\` and
   \`upload\`. Save the key in \`payrun.key\`, and keep it out of process lists:

   \`\`\`sh
   (umask 077; printf 'Authorization: Bearer %s\\n' "$(cat payrun.key)" > key.header)
   api() { curl --silent --show-error --fail-with-body --compressed --header @key.header "$@"; }
   \`\`\`

2. **Upload the file** as the request body, not as a form. The response contains \`batch.batch_id\` and \`batch.state\`.

   \`\`\`sh
   api --data-binary @payouts.csv --header 'Content-Type: application/octet-stream' \\
     --header 'Idempotency-Key: payouts-2026-11' \\
     'https://pay.example/api/batches?file_name=payouts.csv'
   \`\`\`

3. **Request approval.** A user then approves the batch on the dashboard. API keys cannot approve batches.

   \`\`\`sh
   api --json '{}' https://pay.example/api/batches/ID/request-approval
   \`\`\`

4. **Wait for the result.** Repeat the first request below every few seconds until \`state\` is \`finished\`, \`finished_with_exceptions\` or
   \`cancelled\`. Then download the result of each row.

   \`\`\`sh
   api https://pay.example/api/batches/ID
   api 'https://pay.example/api/batches/ID/report?format=jsonl'
   \`\`\`

The same steps with the typed client of the payrun package:

\`\`\`ts
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { PayrunClient } from "payrun/client";

const key = (await readFile("payrun.key", "utf8")).trim();
const payrun = new PayrunClient({ server: "https://pay.example", key });

const { batch } = await payrun.call("POST /api/batches", {
  query: { file_name: "payouts.csv" },
  body: await readFile("payouts.csv"),
  idempotencyKey: "payouts-2026-11",
});
const path = { id: batch.batch_id };
await payrun.call("POST /api/batches/{id}/request-approval", { path, body: {} });

let { state } = batch;
while (!["finished", "finished_with_exceptions", "cancelled"].includes(state)) {
  await setTimeout(5_000);
  ({ state } = await payrun.call("GET /api/batches/{id}", { path }));
}
const query = { format: "jsonl" } as const;
const report = await payrun.call("GET /api/batches/{id}/report", { path, query });
console.log(state, await report.text());
\`\`\`
`;
