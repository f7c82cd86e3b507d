import { query } from "../servers/postgres.ts";
import type { Scene } from "./scene.ts";

/** Actions on many payouts, and the audit line of each. */
export function payoutActions(scene: Scene) {
  const { operator, checker } = scene;
  const BECAUSE = { reason: "the supplier called" };

  const preview = async (action: string, codes: readonly string[]) =>
    (await operator.post("/api/payout-actions", { action, codes })).json;

  /** A payout on hold that a current statement lists as completed. */
  const listed = async (status = "completed"): Promise<string> => {
    const code = await scene.held();
    await listOnStatement(scene, code, status);
    return code;
  };
  const proposed = async (): Promise<string> => {
    const { id } = await preview("resolve", [await listed()]);
    await operator.post(`/api/payout-actions/${id}/apply`, BECAUSE);
    return id;
  };
  return {
    "POST /api/payout-actions": null,
    "POST /api/payout-actions/:id/apply": [
      "apply_payout_action",
      async () => {
        const { id } = await preview("hold_back", [await scene.payout()]);
        return operator.post(`/api/payout-actions/${id}/apply`, BECAUSE);
      },
    ],
    "POST /api/payout-actions/:id/confirm": [
      "confirm_payout_action",
      async () => checker.post(`/api/payout-actions/${await proposed()}/confirm`),
    ],
    "POST /api/payout-actions/:id/reject": [
      "refuse_payout_action",
      async () => checker.post(`/api/payout-actions/${await proposed()}/reject`, BECAUSE),
    ],
  } as const;
}

let statements = 0;

/** Stores a current statement with one line about a payout, of a day of its own. */
export async function listOnStatement(
  { server }: Pick<Scene, "server">,
  code: string,
  status: string,
  {
    amountMinor,
    lineCode = code,
    number = null,
  }: { amountMinor?: number; lineCode?: string; number?: string | null } = {},
): Promise<string> {
  statements += 1;
  const id = `ST${statements}`;
  await query(
    server.deps.databaseUrl,
    `with payout as (
      select p.lane, p.currency, p.amount_minor, p.minor_digits from payouts p
      join payout_details d on d.payout_id = p.id where d.transaction_code = '${code}'),
    line as (
      insert into statement_lines (statement_id, line, code, gateway_number, currency, amount_minor, minor_digits, status, at)
      select '${id}', 2, '${lineCode}', ${number === null ? "null" : `'${number}'`}, currency,
        ${amountMinor ?? "amount_minor"}, minor_digits, '${status}', now() from payout)
    select from payout`,
  );
  await query(
    server.deps.databaseUrl,
    `insert into statements (id, lane, day, starts_at, ends_at, zone, minor_digits, mapping_version, digest,
      file_name, lines, actor, state)
    select '${id}', p.lane, date '2026-01-01' + ${statements}, now(), now() + interval '1 day', 'UTC', 2, 1,
      '${id}', 'day.csv', 1, 'cli:test', 'current'
    from payouts p join payout_details d on d.payout_id = p.id where d.transaction_code = '${code}'`,
  );
  return id;
}
