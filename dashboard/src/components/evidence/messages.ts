import { inLanguage } from "../../base/language.ts";

const en = {
  open: "Signed evidence pack (ZIP)…",
  title: "Download the evidence pack",
  explanation:
    "A ZIP archive with payrun's records, signed so that a bank or an auditor can verify it without access to payrun. The audit log records the download.",
  verification:
    "The receiver verifies it with payrun verify PACK --key KEY. The key is your public key: publish it, for example on your website. To print it on the server: payrun key public.",
  accounts: "Beneficiaries in the pack",
  masked: "Masked",
  maskedHint: "The last four digits of accounts, without names, references or texts of people.",
  full: "In full",
  fullHint:
    "Full account numbers, names and references leave payrun. Send this pack only to people who may see them.",
  download: "Download",
  cancel: "Cancel",
  close: "Close",
};

/** The texts of the dialog that downloads an evidence pack. */
export const messages = inLanguage({ en });
