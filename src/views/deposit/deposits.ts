import type { z } from "zod";
import type { DEPOSIT_API } from "#api/deposit/deposits.ts";
import {
  DEPOSIT_DETAIL_FIELDS,
  type DepositDetailField,
  type DepositDetails,
} from "#deposit/deposit.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import {
  decideDepositResolution,
  type ResolveRefusal,
  proposeDepositResolution,
} from "#flows/deposit/resolve.ts";
import { queryDepositByHand } from "#flows/deposit/follow.ts";
import { sendPayerAccount, sendPayerReference, type PayerRefusal } from "#flows/deposit/payer.ts";
import { requestDeposit } from "#flows/deposit/request.ts";
import { Problem } from "#api/app/problems.ts";
import type { Freeze } from "#ledger/ledger.ts";
import type { Result } from "#base/result.ts";

/**
 * The API operations on deposits, for the routes and for the command line. Each throws a Problem
 * when it refuses.
 */

type Api = typeof DEPOSIT_API;
type Body<Name extends keyof Api> = Api[Name] extends { body: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never;

interface DepositActor {
  readonly code: string;
  readonly actor: string;
}

/** @param key idempotency key of the request. Null: it has none. */
export async function createDeposit(
  body: Body<"POST /api/deposits">,
  { actor, key }: { readonly actor: string; readonly key: string | null },
  deposits: DepositDeps,
): Promise<string> {
  const made = await requestDeposit(
    {
      currency: body.currency,
      amount: body.amount,
      details: detailsOf(body),
      paymentCode: body.payment_code ?? null,
      reference: body.reference ?? null,
      request: key === null ? null : JSON.stringify([actor, key]),
      actor,
    },
    deposits,
  );
  if (made.ok) return made.value;
  if (made.error.kind === "frozen") throw frozen(made.error.freeze);
  if (made.error.kind === "other_request") {
    throw new Problem("idempotency_key_reused", {
      detail:
        "This key has already been used to request a deposit for another payer, currency or amount.",
    });
  }
  const places = made.error.faults.map(({ field, problem }) => ({
    place: `body.${field}`,
    message: problem,
  }));
  const [first] = made.error.faults;
  throw new Problem("deposit_refused", {
    places,
    detail: `The ${first?.field} ${first?.problem}.`,
  });
}

/**
 * Queries the status of a deposit at a user's request, on record. @throws when there is no such
 * deposit.
 */
export async function queryDeposit(
  { code, actor }: DepositActor,
  deposits: DepositDeps,
): Promise<void> {
  const at = new Date(deposits.clock.nowMs());
  if (!(await deposits.ledger.deposit.recordDepositQuery({ code, actor, at })))
    throw noDeposit(code);
  await queryDepositByHand(code, deposits);
}

/**
 * Sends the payer's bank account for a KRW deposit. @throws when the deposit does not accept one.
 */
export async function providePayerAccount(
  by: DepositActor,
  body: Body<"POST /api/deposits/:code/krw-account">,
  deposits: DepositDeps,
): Promise<void> {
  const account = { bankCode: body.bank_code, accountNumber: body.account_number };
  orRefuse(by, await sendPayerAccount({ ...by, account }, deposits));
}

/** Sends the payer's payment reference. @throws when the deposit does not accept one. */
export async function providePayerReference(
  by: DepositActor,
  { reference }: Body<"POST /api/deposits/:code/reference">,
  deposits: DepositDeps,
): Promise<void> {
  orRefuse(by, await sendPayerReference({ ...by, reference }, deposits));
}

/** Proposes the manual resolution of a deposit. @throws when its state does not allow one. */
export async function proposeResolution(
  by: DepositActor,
  { received: cameIn, evidence }: Body<"POST /api/deposits/:code/resolve">,
  deposits: DepositDeps,
): Promise<void> {
  orRefuse(by, await proposeDepositResolution({ ...by, said: { cameIn, evidence } }, deposits));
}

/** Confirms or refuses a proposed manual resolution of a deposit. @throws when it is not open. */
export async function decideResolution(
  by: DepositActor,
  { id, agree }: Body<"POST /api/deposits/:code/resolution">,
  deposits: DepositDeps,
): Promise<void> {
  orRefuse(by, await decideDepositResolution({ ...by, id, agree }, deposits));
}

function orRefuse(
  { code }: DepositActor,
  given: Result<true, PayerRefusal | ResolveRefusal>,
): void {
  if (!given.ok) throw refusal(code, given.error);
}

const detailsOf = (body: Partial<Record<DepositDetailField, string | undefined>>): DepositDetails =>
  Object.fromEntries(
    DEPOSIT_DETAIL_FIELDS.flatMap((field) => (body[field] ? [[field, body[field]]] : [])),
  );

function refusal(code: string, refused: PayerRefusal | ResolveRefusal): Problem {
  switch (refused.kind) {
    case "not_found":
      return noDeposit(code);
    case "frozen":
      return frozen(refused.freeze);
    case "wrong_state":
      return new Problem("wrong_state", {
        detail: `The deposit is in the ${refused.state} state.`,
      });
    case "gateway_did_not_accept":
      return new Problem(
        "gateway_did_not_accept",
        { detail: `The ${refused.problem}.` },
        { "retry-after": "5" },
      );
    case "refused":
      return new Problem("deposit_refused", { detail: `The ${refused.problem}.` });
    case "content_changed":
    case "own_resolution":
    case "not_an_approver":
      return new Problem(refused.kind);
  }
}

const frozen = ({ reason }: Freeze): Problem => new Problem("ledger_frozen", { detail: reason });

const noDeposit = (code: string): Problem =>
  new Problem("not_found", { detail: `There is no deposit ${code}.` });
