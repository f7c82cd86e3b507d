import { type RawBuilder, sql } from "kysely";
import {
  ARRIVED_BY_STATEMENT,
  type BulkAction,
  NOT_BY_STATEMENT,
  SETTLED_BY_STATEMENT,
} from "#payout/action/payout-action.ts";
import { IS_NOT_DEFERRED } from "#ledger/operations/failure-groups.ts";
import { IS_REPLACED_BY_RETRY } from "#ledger/payout/lane/retry-results.ts";
import { FAILING_STATES } from "#payout/failure-explanations.ts";
import { type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { PAID_TWICE_REASONS } from "#payout/second-payment.ts";

const FINAL = sql`p.state = any(${(Object.keys(STATES) as PayoutState[]).filter((state) => STATES[state].final)})`;

const IN_CLOSED_BATCH = sql`b.cancelling or b.state not in ('approved', 'paused')`;

/** A payout that may have arrived is never cancelled, although it waits to be sent again. */
const whySent = (allowed: RawBuilder<unknown>) => sql`
    when p.state = 'awaiting_approval' then 'not_approved'
    when p.state = 'submitting' then 'being_sent'
    when ${FINAL} then 'finished'
    when not (${allowed}) or p.maybe_arrived then 'sent'
    when ${IN_CLOSED_BATCH} then 'batch_not_open'`;

const REASON = sql`split_part(p.reason, ':', 1)`;

/** Reasons with an explanation of their own. */
const NOT_SETTLED = sql.join(
  Object.entries(NOT_BY_STATEMENT).map(
    ([reason, why]) => sql`when ${REASON} = ${sql.lit(reason)} then ${sql.lit(why)}`,
  ),
  sql` `,
);

/** A second payment of payout `p` was possible once, or one of its requests is not on the line. */
const MAY_BE_OTHER_PAYMENT = sql`listed.finding = 'not_arrived'
      and (p.resent or ${REASON} = any(${[...ARRIVED_BY_STATEMENT]}::text[])) or exists (
      select from transitions t
      where t.payout_id = p.id and split_part(t.reason, ':', 1) = any(${[...PAID_TWICE_REASONS]}::text[]))`;

/** An action that changes payouts when it is applied. */
export type Change = Exclude<BulkAction, "resolve" | "assign">;

/** Why an action does not apply to payout `p` of batch `b` now; null: it applies. */
export const NOT_QUALIFIED: Readonly<Record<Change, RawBuilder<string | null>>> = {
  query: sql`case
    when p.state in ('in_doubt', 'accepted') then null
    when p.state = 'submitting' then 'being_sent'
    when ${FINAL} then 'finished'
    else 'not_sent' end`,
  hold_back: sql`case
    when p.state = 'held_back' then 'held_back' ${whySent(sql`p.state = 'approved'`)} end`,
  release: sql`case
    when p.state <> 'held_back' then 'not_held_back'
    when ${IN_CLOSED_BATCH} then 'batch_not_open' end`,
  cancel: sql`case ${whySent(sql`p.state in ('approved', 'held_back')`)} end`,
};

/** Why payout `p` is not assigned: the page Failures does not show it. Null: it is. */
export const NEEDS_NO_ATTENTION: RawBuilder<string | null> = sql`case
    when p.state <> all(${[...FAILING_STATES]}::text[]) or ${IS_NOT_DEFERRED} or ${IS_REPLACED_BY_RETRY}
    then 'no_attention' end`;

/**
 * Why payout `p` is not resolved by its result on statements, which is `listed`: see LISTED_RESULT.
 * Null: it is.
 */
export const NOT_RESOLVABLE: RawBuilder<string | null> = sql`case
    when p.state not in ('on_hold', 'in_doubt') then 'not_resolvable'
    ${NOT_SETTLED}
    when ${REASON} <> all(${[...SETTLED_BY_STATEMENT]}::text[]) then 'statement_not_enough'
    when listed.why is not null then listed.why
    when ${MAY_BE_OTHER_PAYMENT} then 'statement_not_enough' end`;

/**
 * Lines of payout `p` on the current statements of its lane, by its code or its gateway number. A
 * pending line is no result, but shows another payment by its number.
 */
const COUNTED = sql`
      select
        count(*) filter (where l.status <> 'pending') as lines,
        count(*) filter (where l.status = 'completed') as completed,
        count(*) filter (where l.status = 'failed') as failed,
        count(*) filter (where l.status = 'returned') as returned,
        max(l.at) filter (where l.status = 'completed') as completed_at,
        max(l.at) filter (where l.status = 'failed') as failed_at,
        min(coalesce(l.gateway_number, '')) <> max(coalesce(l.gateway_number, '')) as has_two_numbers,
        bool_or(l.currency <> p.currency
          or case when l.minor_digits = p.minor_digits then l.amount_minor <> p.amount_minor
            else l.amount_minor * power(10::numeric, p.minor_digits)
              <> p.amount_minor * power(10::numeric, l.minor_digits) end) as is_other_amount,
        bool_or(l.gateway_number <> p.gateway_number) as is_other_number,
        left(string_agg(
          format('Statement %s of %s, line %s: %s, %s %s', s.file_name, s.day, l.line, l.status, l.currency,
            round(l.amount_minor / power(10::numeric, l.minor_digits), l.minor_digits)),
          '; ' order by s.day, l.line) filter (where l.status <> 'pending'), 1000) as evidence
      from statement_lines l
        join statements s on s.id = l.statement_id
      where l.code = any(array[d.transaction_code collate "C", '#' || p.gateway_number])
        and s.state = 'current'
        and s.lane = p.lane`;

/**
 * The result of payout `p` with details `d` according to statements, with its evidence, or why
 * there is none. The absence of a payout is no evidence that it did not arrive.
 */
export const LISTED_RESULT = sql`lateral (
    select
      case
        when lines = 0 then 'not_listed'
        when is_other_amount then 'amount_differs'
        when is_other_number then 'gateway_number_differs'
        when has_two_numbers or completed > 1 or failed + returned > 1 then 'listed_twice'
        when completed = 1 and failed = 1 and (failed_at > completed_at) is not true then 'contradictory'
      end as why,
      case when failed + returned > 0 then 'not_arrived' else 'arrived' end as finding,
      evidence
    from (${COUNTED}) counted)`;
