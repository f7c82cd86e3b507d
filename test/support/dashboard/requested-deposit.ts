import { type DepositRequest, requestDeposit } from "#flows/deposit/request.ts";
import { linkTokenOf } from "#ledger/deposit/sealed-deposits.ts";
import type { OpenDashboard } from "./open-dashboard.ts";

/** Requests a deposit from the gateway, and returns the payer's page. */
export async function requestedDeposit(
  { payrun }: Pick<OpenDashboard, "payrun">,
  wish: Partial<DepositRequest> & Pick<DepositRequest, "currency" | "amount">,
): Promise<{ readonly code: string; readonly path: string }> {
  const made = await requestDeposit(
    {
      details: { user_id: "u1", deposit_name: "Kim Minjun", phone: "01812345678" },
      paymentCode: null,
      reference: null,
      request: null,
      actor: "test",
      ...wish,
    },
    payrun.deposits,
  );
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  return { code: made.value, path: `/pay/${linkTokenOf(payrun.sealer, made.value)}` };
}
