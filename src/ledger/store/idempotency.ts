import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { sealPassing } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A request that creates something, identified by the key that its sender chose. */
export interface Request {
  readonly person: string;
  readonly key: string;
  readonly operation: string;
  /** Digest of the complete request. */
  readonly digest: string;
}

export type EarlierRequest =
  /** First request with this key: continue, and store the answer. */
  | { readonly kind: "new" }
  | { readonly kind: "running" }
  | { readonly kind: "other_request" }
  | { readonly kind: "answered"; readonly status: number; readonly answer: unknown };

const KEPT_FOR = sql`interval '24 hours'`;
/**
 * Time after which a request counts as abandoned. The owner of a request holds its lock and renews
 * it every two seconds. An owner that lost its session and lock in a restart of the database still
 * renews it. A killed owner does neither. Only the same request is then processed again, because
 * the killed one may have created something.
 */
const ABANDONED_AFTER = sql`interval '7 seconds'`;

/**
 * Returns what happened to this request before. The first request with its key is recorded in the
 * same statement. The caller holds the lock of the request, so no other process works on it.
 */
export async function beginRequest(
  database: Database,
  sealer: Sealer,
  request: Request,
): Promise<EarlierRequest> {
  const { person, key, operation, digest } = request;
  await sql`delete from idempotency where at < now() - ${KEPT_FOR}
    or (person = ${person} and key = ${key} and status is null
      and operation = ${operation} and digest = ${digest} and at < now() - ${ABANDONED_AFTER})`.execute(
    database,
  );
  const begun = await database
    .insertInto("idempotency")
    .values({ person, key, operation, digest, status: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .execute();
  if (begun.length > 0) return { kind: "new" };
  const earlier = await findRequest(database, sealer, request);
  return earlier.kind === "new" ? { kind: "running" } : earlier;
}

/** Returns the same without recording the request. */
export async function findRequest(
  database: Database,
  sealer: Sealer,
  { person, key, operation, digest }: Request,
): Promise<EarlierRequest> {
  const earlier = await database
    .selectFrom("idempotency")
    .selectAll()
    .where("person", "=", person)
    .where("key", "=", key)
    .executeTakeFirst();
  if (!earlier) return { kind: "new" };
  if (earlier.operation !== operation || earlier.digest !== digest) {
    return { kind: "other_request" };
  }
  if (!earlier.answer || earlier.status === null) return { kind: "running" };
  const answer: unknown = JSON.parse(sealer.open(earlier.answer, placeOf(person, key)));
  return { kind: "answered", status: earlier.status, answer };
}

/** Records that the request is still being processed. */
export async function renewRequest(database: Database, { person, key }: Request): Promise<void> {
  await database
    .updateTable("idempotency")
    .set({ at: sql`now()` })
    .where("person", "=", person)
    .where("key", "=", key)
    .where("status", "is", null)
    .execute();
}

/** Stores the response of a request, encrypted, to return it when the request is repeated. */
export async function storeAnswer(
  database: Database,
  sealer: Sealer,
  { person, key }: Request,
  { status, answer }: { readonly status: number; readonly answer: unknown },
): Promise<void> {
  await database
    .updateTable("idempotency")
    .set({
      status,
      answer: sealPassing(sealer, JSON.stringify(answer ?? null), placeOf(person, key)),
    })
    .where("person", "=", person)
    .where("key", "=", key)
    .execute();
}

/** Removes a request that had no result, so that it can be made again. */
export async function deleteRequest(database: Database, { person, key }: Request): Promise<void> {
  await database
    .deleteFrom("idempotency")
    .where("person", "=", person)
    .where("key", "=", key)
    .where("status", "is", null)
    .execute();
}

const placeOf = (person: string, key: string): string => `idempotency ${person} ${key}`;

/**
 * Opens each stored answer and replaces it.
 *
 * @param next returns the new text; null: the answer stays as it is.
 */
export async function replaceAnswers(
  transaction: Database,
  [from, to]: readonly [Sealer, Sealer],
  next: (text: string) => string | null,
): Promise<number> {
  const rows = await transaction
    .selectFrom("idempotency")
    .select(["person", "key", "answer"])
    .where("answer", "is not", null)
    .execute();
  let replaced = 0;
  for (const { person, key, answer } of rows) {
    const place = placeOf(person, key);
    const text = answer && next(from.open(answer, place));
    if (text == null) continue;
    await transaction
      .updateTable("idempotency")
      .set({ answer: sealPassing(to, text, place) })
      .where("person", "=", person)
      .where("key", "=", key)
      .execute();
    replaced += 1;
  }
  return replaced;
}
