import { inLanguage } from "./language.ts";

// biome-ignore format: the columns are the point
const fields: Readonly<Record<string, string>> = {
  user_id:             "User ID",
  account_name:        "Beneficiary",
  bank_account_number: "Account",
  ifsc_code:           "IFSC",
  bank_code:           "Bank code",
  bank_name:           "Bank",
  branch_code:         "Branch",
  phone_number:        "Phone",
  address:             "Address",
};

const en = {
  /** The labels of the fields of a payout, by the name of the field. */
  fields,

  /** The title of the browser tab. */
  tabTitle: (page: string) => `${page} · payrun`,

  /** The definition of the success rate, on Home and in reports. */
  successRate:
    "Success rate: settled ÷ (settled + declined) payouts. A declined payout no longer counts once its retry has settled or is listed under Failures.",

  today: "Today",
  yesterday: "Yesterday",

  breadcrumb: "Breadcrumb",
  closeNotification: "Close",

  sizes: {
    megabytes: (count: number) => `${count} MB`,
    gigabytes: (count: number) => `${count} GB`,
  },

  errors: {
    mayBeDone: {
      title: "No response: your action may have gone through",
      detail:
        "The server did not respond, so payrun cannot tell whether your action went through. Reload the page and check before you repeat it.",
    },
    noConnection: {
      title: "No connection",
      detail:
        "The server did not respond. Payouts are not affected, because they are sent by the workers, not by this page. Try again in a moment.",
    },
    pageFailed: {
      title: "This page could not be displayed",
      detail:
        "Reload the page and check its contents before you repeat an action. If the page fails again, contact your payrun administrator.",
    },
    invalidFields: {
      title: "Some fields are invalid",
      detail: "Your action was not carried out. Correct these fields and try again.",
    },
    unknownZone: "payrun does not know this time zone. Enter one such as Asia/Kolkata.",
    noAnswer: "The server did not respond.",
    answered: (status: number) => `The server returned status ${status}`,
  },

  sentByApi: (sender: string) => `Rows sent by ${sender}`,

  session: {
    signedInAgain: {
      title: "You have signed in again",
      detail: "Your action was not carried out. Try again.",
    },
    otherPerson: (name: string) => ({
      title: "Someone else has signed in",
      detail: `This browser is now signed in as ${name}. Your action was not carried out.`,
    }),
    otherPersonNotice: (name: string) =>
      `Someone else has signed in. This browser is now signed in as ${name}.`,
  },

  amounts: {
    writeDigits: "Enter the amount using the digits 0–9, such as 37.50.",
    writeAmountOnly: (currency: string) =>
      `Enter only the amount${currency && ` in ${currency}`}, such as 37.50.`,
    writePoint: "Enter the amount with a decimal point, such as 1234.50.",
    writeInstead: (amount: string) => `Enter ${amount}, with a decimal point.`,
  },
};

export const messages = inLanguage({ en });
