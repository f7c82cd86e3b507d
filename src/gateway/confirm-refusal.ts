import type { Outcome } from "#payout/outcome.ts";
import { readPayoutAnswer } from "./payout-answers.ts";
import type { Attempted, ConnectionExchange } from "./exchange.ts";
import { readStatusAnswer } from "./status-answer.ts";

/**
 * Confirms a refusal that arrived on a reused connection, or returns doubt.
 *
 * The answer to a payout contains no code, and HTTP/1.1 matches answers to requests only by their
 * order. If the server sent an earlier answer twice, the refusal belongs to the previous payout,
 * and the gateway may have accepted this one. Therefore a status query follows on the same
 * connection. If the order has shifted, the query receives the payout's own answer, which does not
 * read as "not found". If it has not, "not found" agrees with the refusal.
 *
 * @param queryStatus sends the query on the connection of the attempt. Null: the query cannot be
 * encoded.
 */
export async function confirmRefusal(
  attempt: Attempted<Outcome>,
  queryStatus: () => Promise<ConnectionExchange | null>,
  transactionCode: string,
): Promise<Attempted<Outcome>> {
  const result = await queryStatus();
  // A new connection proves nothing about the order on the old one.
  if (result?.kind === "answer" && result.isReused) {
    const { answer } = result;
    // An acceptance that also contains an empty list would read as "not found".
    const isAcceptance = readPayoutAnswer(answer).outcome.kind === "accepted";
    const isNotFound = readStatusAnswer(answer, transactionCode).kind === "not_found";
    if (!isAcceptance && isNotFound) return attempt;
  }
  const code = attempt.evidence.code ?? "no code";
  const text = `refused (${code}) on a reused connection, and a status query did not confirm the refusal`;
  return { ...attempt, outcome: { kind: "in_doubt", code: "unconfirmed_refusal", text } };
}

/** Returns whether an outcome means that the gateway did not accept the payout. */
export const isRefusal = ({ kind }: Outcome): boolean => kind === "declined" || kind === "deferred";
