import type { PayoutView } from "#api/payout/payouts.ts";

/** Returns the payout code and callback URL. Those of an archived payout are in its file. */
export const sentFacts = (payout: PayoutView): Readonly<Record<string, string>> =>
  payout.archive_file === null
    ? {
        "payout code": sentText(
          payout.payout_code,
          "unknown: no merchant is configured for this lane",
        ),
        "callback URL": sentText(payout.callback_url, "none"),
      }
    : {
        archived: `details and course: payrun archive show ${payout.archive_file} --code ${payout.code}`,
      };

const sentText = ({ text, own }: PayoutView["payout_code"], unknown: string): string =>
  text === null ? unknown : own ? `${text} (from the file)` : text;
