import { createReadStream } from "node:fs";
import type { Ingested } from "#flows/intake/ingest.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { Payrun } from "#app/wiring.ts";
import type { DemoPerson } from "#cli/app/demo-people.ts";

/** A file of the demo. */
interface SampleFile {
  readonly path: string;
  readonly fileName: string;
}

/** A file whose batch is sent for approval under a name, for a purpose. */
interface NamedSample extends SampleFile {
  readonly name: string;
  readonly purpose: string;
}

/** Uploads a file as the person. */
export async function uploadSample(
  { path, fileName }: SampleFile,
  { userId }: DemoPerson,
  payrun: Payrun,
): Promise<Ingested> {
  const { ingest } = await import("#flows/intake/ingest.ts");
  const { ledger, keyring, rows } = payrun;
  const upload = {
    fileName,
    open: () => createReadStream(path),
    actor: `user:${userId}`,
    // An amount in the file to correct is written in another format.
    choices: { amounts: "plain" as const },
  };
  const taken = await ingest(upload, { ledger, keyring, rows });
  if (!taken.ok) throw new Error(`the demo cannot read ${path}`);
  return taken.value;
}

/** Uploads a file and sends it for approval. A batch from an earlier start is left unchanged. */
export async function uploadForApproval(
  file: NamedSample,
  maker: DemoPerson,
  payrun: Payrun,
): Promise<Batch> {
  const { requestApproval } = await import("#flows/approval/request-approval.ts");
  const { batch, isNew } = await uploadSample(file, maker, payrun);
  if (!isNew) return batch;
  const submission = {
    batchId: batch.id,
    name: file.name,
    purpose: file.purpose,
    expected: { rows: batch.rows, sums: {} },
    leaveOut: false,
    numbersCompared: false,
    whyNotPrioritize: () => null,
    actor: `user:${maker.userId}`,
    at: new Date(payrun.deps.clock.nowMs()),
  };
  const submitted = await requestApproval(submission, payrun.ledger);
  if (!submitted.ok)
    throw new Error(`the demo batch was not sent for approval: ${submitted.error.kind}`);
  return batch;
}
