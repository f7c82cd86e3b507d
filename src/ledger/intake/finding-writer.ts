import { sql } from "kysely";
import { findingKey, type FindingName, findingName } from "#intake/findings.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Maximum number of good rows stored per finding, so that they can be shown. The lines of all are
 * recorded, because a warning may apply to every row of a file.
 */
const GOOD_STORED_MAX = 10_000;

interface Finding {
  readonly number: number;
  readonly name: FindingName;
  count: number;
  goodStored: number;
}

interface FoundRow {
  readonly line: number;
  readonly problems: readonly Problem[];
}

/** Counts the findings in the rows of a batch, and records their rows. */
export class FindingWriter {
  readonly #transaction: Database;
  readonly #batchId: string;
  readonly #findings = new Map<string, Finding>();

  constructor(transaction: Database, batchId: string) {
    this.#transaction = transaction;
    this.#batchId = batchId;
  }

  /** Loads the existing findings of the batch. */
  async begin(): Promise<void> {
    const rows = await this.#transaction
      .selectFrom("batch_findings")
      .selectAll()
      .where("batch_id", "=", this.#batchId)
      .execute();
    for (const { severity, code, column_name, sentence, number, count } of rows) {
      const name = { severity, code, column: column_name || null, sentence };
      this.#findings.set(findingKey(name), { number, name, count, goodStored: 0 });
    }
  }

  /** Returns the rows that must be stored, so that they can be shown. */
  async add<Row extends FoundRow>(
    rows: readonly Row[],
    kind: "good" | "rejected",
  ): Promise<readonly Row[]> {
    const numbers: number[] = [];
    const lines: number[] = [];
    const kept = rows.filter(({ line, problems }) => {
      const about = [...new Set(problems.map((problem) => this.#of(problem)))];
      for (const finding of about) {
        finding.count += 1;
        numbers.push(finding.number);
        lines.push(line);
      }
      if (kind === "rejected") return about.length > 0;
      const stored = about.filter(({ goodStored }) => goodStored < GOOD_STORED_MAX);
      for (const finding of stored) finding.goodStored += 1;
      return stored.length > 0;
    });
    if (lines.length > 0) {
      await sql`insert into row_findings (batch_id, number, line)
        select ${this.#batchId}, number, line
        from unnest(${numbers}::int[], ${lines}::int[]) as v(number, line)`.execute(
        this.#transaction,
      );
    }
    return kept;
  }

  /** Removes the findings of rows that are read again. */
  async forget(lines: readonly number[]): Promise<void> {
    const numbers = [...this.#findings.values()].map(({ number }) => number);
    const { rows } = await sql<{ number: number; count: number }>`
      with gone as (
        delete from row_findings
        where batch_id = ${this.#batchId} and number = any(${numbers}::int[]) and line = any(${lines}::int[])
        returning number
      ) select number, count(*)::int as count from gone group by 1`.execute(this.#transaction);
    const gone = new Map(rows.map(({ number, count }) => [number, count]));
    for (const finding of this.#findings.values()) finding.count -= gone.get(finding.number) ?? 0;
  }

  async end(): Promise<void> {
    const findings = [...this.#findings.values()];
    await sql`
      insert into batch_findings (batch_id, number, severity, code, column_name, sentence, count)
      select ${this.#batchId}, v.* from unnest(
        ${findings.map(({ number }) => number)}::int[],
        ${findings.map(({ name }) => name.severity)}::text[],
        ${findings.map(({ name }) => name.code)}::text[],
        ${findings.map(({ name }) => name.column ?? "")}::text[],
        ${findings.map(({ name }) => name.sentence)}::text[],
        ${findings.map(({ count }) => count)}::int[]
      ) as v
      on conflict (batch_id, number) do update set count = excluded.count`.execute(
      this.#transaction,
    );
  }

  #of(problem: Problem): Finding {
    const name = findingName(problem);
    const key = findingKey(name);
    const known = this.#findings.get(key);
    if (known) return known;
    const finding = { number: this.#findings.size + 1, name, count: 0, goodStored: 0 };
    this.#findings.set(key, finding);
    return finding;
  }
}
