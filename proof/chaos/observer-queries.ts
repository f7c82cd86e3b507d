/**
 * SQLSTATEs of a wrong query. Any other means that the server is unavailable or the tables do not
 * exist yet (42P01).
 */
const QUERY_ERRORS = /^(22|42)(?!P01)/;

/** PostgreSQL's answers to observers of a campaign. Null: unavailable at the moment. */
export const nullIfUnavailable = <Answer>(asked: Promise<Answer>): Promise<Answer | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof Error && "code" in error && QUERY_ERRORS.test(String(error.code)))
      throw error;
    return null;
  });

const BY_STATE =
  "select batch_id, state, count(*) as payouts, sum(amount_minor) as minor from payouts group by 1, 2";
const STORED =
  "select batch_id, state, sum(payouts), sum(amount_minor) from payout_counts group by 1, 2 having sum(payouts) <> 0 or sum(amount_minor) <> 0";

/** Number of states of batches whose stored counts differ from their payouts, in one snapshot. */
export const WRONG_COUNTS = `select count(*) from (
  (${BY_STATE} except ${STORED}) union all (${STORED} except ${BY_STATE})) wrong`;
