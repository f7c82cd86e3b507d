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

The same steps in TypeScript:

\`\`\`ts
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

const server = "https://pay.example";
const authorization = \`Bearer \${(await readFile("payrun.key", "utf8")).trim()}\`;

async function call(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = { authorization, ...options.headers };
  const response = await fetch(\`\${server}/api\${path}\`, { ...options, headers });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

const uploaded = await call("/batches?file_name=payouts.csv", {
  method: "POST",
  headers: { "content-type": "application/octet-stream", "idempotency-key": "payouts-2026-11" },
  body: await readFile("payouts.csv"),
});
const { batch } = await uploaded.json();

await call(\`/batches/\${batch.batch_id}/request-approval\`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: "{}",
});

let { state } = batch;
while (!["finished", "finished_with_exceptions", "cancelled"].includes(state)) {
  await setTimeout(5_000);
  ({ state } = await (await call(\`/batches/\${batch.batch_id}\`)).json());
}
const report = await call(\`/batches/\${batch.batch_id}/report?format=jsonl\`);
console.log(state, await report.text());
\`\`\`
`;
