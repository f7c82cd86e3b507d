import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** The recorded history of one payout or deposit, in chronological order. */
export interface RecordedHistory<Attempt = RecordedAttempt> {
  readonly attempts: readonly Attempt[];
  readonly evidence: readonly {
    readonly kind: string;
    readonly attempt: number | null;
    readonly at: Date;
    readonly facts: unknown;
  }[];
  readonly transitions: readonly {
    readonly seq: number;
    readonly event: string;
    readonly from_state: string;
    readonly to_state: string;
    readonly reason: string | null;
    readonly actor: string;
    readonly at: Date;
  }[];
}

export interface RecordedAttempt {
  readonly number: number;
  readonly opened_at: Date;
  readonly key_id: string;
  readonly worker: string;
}

/** The tables of payouts or deposits, and the columns of attempts to include. */
export interface HistorySource<Attempt> {
  readonly tables: { readonly [Part in keyof RecordedHistory]: string };
  readonly owner: "payout_id" | "deposit_id";
  readonly attempt: readonly (keyof Attempt & string)[];
}

const EVIDENCE = ["kind", "attempt", "at", "facts"];
const TRANSITION = ["seq", "event", "from_state", "to_state", "reason", "actor", "at"];

/** Reads the history of these ids. Returns a function with the history of each. */
export async function readHistory<Attempt>(
  snapshot: Database,
  { tables, owner, attempt }: HistorySource<Attempt>,
  ids: readonly number[],
): Promise<(id: number) => RecordedHistory<Attempt>> {
  const read = async <Row>(table: string, columns: readonly string[], order: string) => {
    const { rows } = await sql<Row & { id: number }>`
      select ${sql.ref(owner)} as id, ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where ${sql.ref(owner)} = any(${[...ids]}::bigint[])
      order by ${sql.ref(owner)}, ${sql.ref(order)}`.execute(snapshot);
    return Map.groupBy(rows, ({ id }) => id);
  };
  const attempts = await read<Attempt>(tables.attempts, attempt, "number");
  const evidence = await read<RecordedHistory["evidence"][number]>(
    tables.evidence,
    EVIDENCE,
    `${tables.evidence}.id`,
  );
  const transitions = await read<RecordedHistory["transitions"][number]>(
    tables.transitions,
    TRANSITION,
    "seq",
  );
  return (id) => ({
    attempts: attempts.get(id) ?? [],
    evidence: evidence.get(id) ?? [],
    transitions: transitions.get(id) ?? [],
  });
}
