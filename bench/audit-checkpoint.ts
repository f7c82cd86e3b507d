/** Time of the daily checkpoint of a long audit log that has gained lines since the last one. */
import { Client } from "pg";
import { readConfig } from "#app/config.ts";
import { openPayrun } from "#app/wiring.ts";
import { verifyGrownAudit } from "#ledger/integrity/audit-growth.ts";
import { auditSealOf } from "#ledger/integrity/audit-seal.ts";
import { median, scratch, settingsIn } from "./support.ts";

export interface CheckpointFigures {
  /** Time to read the whole log, in seconds. */
  readonly wholeSeconds: number;
  /** Median time for the lines of one day, in milliseconds. */
  readonly dayMs: number;
}

const DAY_LINES = 2_000;
const INSERTED = 10_000;

/** Measures the first checkpoint of a log, and then that of each day with 2,000 more lines. */
export async function measureCheckpoint(lines: number, runs: number): Promise<CheckpointFigures> {
  const env = await settingsIn(scratch());
  const payrun = await openPayrun(readConfig(env));
  const client = new Client({ connectionString: env.DATABASE_OWNER_URL });
  await client.connect();
  try {
    await client.query("set search_path to payrun; set session_replication_role = replica");
    const { database } = payrun;
    const add = lineWriter(client, auditSealOf(database).sealer);
    for (let written = 0; written < lines; written += INSERTED) await add(INSERTED);
    const seconds = async () => {
      const startedMs = performance.now();
      const verdict = await verifyGrownAudit(database, new Date());
      if (!verdict.intact) throw new Error(verdict.why);
      return (performance.now() - startedMs) / 1_000;
    };
    const wholeSeconds = await seconds();
    const days: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await add(DAY_LINES);
      days.push((await seconds()) * 1_000);
    }
    return { wholeSeconds, dayMs: median(days) };
  } finally {
    await client.end();
    await payrun.close();
  }
}

/** Returns a function that appends lines of the chain without the lock of each. */
function lineWriter(client: Client, sealer: ReturnType<typeof auditSealOf>["sealer"]) {
  return async (count: number): Promise<void> => {
    const { rows } = await client.query("select seq, hash from audit order by seq desc limit 1");
    let [seq, hash]: [number, Buffer] = [rows[0]?.seq ?? 0, rows[0]?.hash ?? Buffer.alloc(32)];
    const [at, actor, action, key] = [
      new Date().toISOString(),
      "cli:bench",
      "pause",
      sealer.generation,
    ];
    const lines = Array.from({ length: count }, () => {
      seq += 1;
      const [object, facts] = [`B${seq}`, `{"state":"paused","payouts":${seq}}`];
      const signed = JSON.stringify([seq, at, actor, action, object, facts, key]);
      hash = sealer.sign(key, hash, signed) as Buffer;
      return { seq, at, actor, action, object, facts, key, hash: `\\x${hash.toString("hex")}` };
    });
    await client.query(
      `insert into audit (seq, at, actor, action, object, facts, key, hash)
       select seq, at, actor, action, object, facts, key, hash from json_populate_recordset(null::audit, $1)`,
      [JSON.stringify(lines)],
    );
  };
}
