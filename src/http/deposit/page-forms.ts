import { DEPOSIT_REQUIREMENTS } from "#deposit/requirements.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import { sendPayerAccount, sendPayerReference, type PayerRefusal } from "#flows/deposit/payer.ts";
import type { RefusedInput } from "#deposit/page/forms.ts";
import type { Messages } from "#deposit/page/languages/messages.ts";
import { payPage, payerReferencePage } from "#deposit/page/page.ts";
import { type PayView, payerReferenceOf } from "#deposit/page/view.ts";
import type { Result } from "#base/result.ts";

type Values = Readonly<Record<string, string>>;

/** The input of a payer in a form. */
interface PayForm {
  /** Returns what is wrong with the input. Null: input of this kind is not needed now. */
  faultsIn(view: PayView, values: Values, words: Messages): RefusedInput["faults"] | null;
  send(code: string, values: Values, deps: DepositDeps): Promise<Result<true, PayerRefusal>>;
  /** The page that shows the form again. */
  readonly page: typeof payPage | typeof payerReferencePage;
}

/** The formats that the API accepts (src/api/deposit/deposits.ts). */
const ACCOUNT = /^[0-9-]{4,40}$/;
const BANK_CHARS_MAX = 100;

const ACTOR = "payer";

export const PAY_FORMS: Readonly<Record<string, PayForm>> = {
  account: {
    faultsIn({ stage }, { bank_code: bank = "", account_number: account = "" }, { faults }) {
      if (stage.kind !== "bank") return null;
      const isBank =
        stage.banks.length === 0
          ? bank !== "" && bank.length <= BANK_CHARS_MAX
          : stage.banks.some(({ code }) => code === bank);
      return [
        ...(isBank ? [] : [{ field: "bank_code", text: faults.bank } as const]),
        ...(ACCOUNT.test(account)
          ? []
          : [{ field: "account_number", text: faults.account } as const]),
      ];
    },
    send(code, { bank_code: bankCode = "", account_number: accountNumber = "" }, deps) {
      return sendPayerAccount({ code, actor: ACTOR, account: { bankCode, accountNumber } }, deps);
    },
    page: payPage,
  },
  reference: {
    faultsIn(view, { reference = "" }, { faults }) {
      const stage = payerReferenceOf(view);
      if (stage === null) return null;
      const isGood = DEPOSIT_REQUIREMENTS[stage.currency].reference.form.test(reference);
      return isGood ? [] : [{ field: "reference", text: faults.reference[stage.currency] }];
    },
    send(code, { reference = "" }, deps) {
      return sendPayerReference({ code, actor: ACTOR, reference }, deps);
    },
    page: payerReferencePage,
  },
};
