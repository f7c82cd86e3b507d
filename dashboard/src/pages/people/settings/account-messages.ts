import { inLanguage } from "../../../base/language.ts";

const en = {
  title: "Merchant accounts",
  explanation:
    "The Operations page shows each lane under the name of its merchant account. A lane contains the payouts of one merchant account in one currency.",
  empty:
    "There are no merchant accounts yet. An account appears here once its first batch is uploaded.",
  name: "Display name",
  noName: "No name: pages show the merchant code",
  currencies: "Currencies",
  setBy: "Named by",
  notSet: "–",
  action: "Action",
  change: "Change name",
  changeOf: (account: string) => `Change name: ${account}`,
  titleOf: (code: string) => `Name of merchant account ${code}`,
  hint: (currency: string) =>
    `For example, with the name “Main account”, the lane is shown as “${currency} · Main account”. Leave the name empty to show the merchant code.`,
  save: "Save name",
};

/** The texts of the page Merchant accounts. */
export const accountMessages = inLanguage({ en });
