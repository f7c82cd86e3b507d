import { inLanguage } from "./language.ts";

// biome-ignore format: the columns are the point
const fields: Readonly<Record<string, string>> = {
  user_id:             "User",
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

  closeNotification: "Close",

  sizes: {
    megabytes: (count: number) => `${count} MB`,
    gigabytes: (count: number) => `${count} GB`,
  },

  errors: {
    mayBeDone: {
      title: "No answer: it may have been done",
      detail:
        "The server did not answer. payrun cannot say whether your action was done. Reload the page and check before you repeat it.",
    },
    noConnection: {
      title: "No connection",
      detail:
        "The server did not answer. Payouts are not affected: the workers send them, not this page. Try again in a moment.",
    },
    pageFailed: {
      title: "The page could not be shown",
      detail:
        "Reload the page and check what it shows before you repeat an action. If it fails again, tell the person who runs payrun.",
    },
    invalidFields: {
      title: "Some fields are not valid",
      detail: "Nothing was done. Correct these fields and try again.",
    },
    noAnswer: "The server did not answer.",
    answered: (status: number) => `The server answered ${status}`,
  },

  session: {
    signedInAgain: {
      title: "You have signed in again",
      detail: "Nothing was done. Try again.",
    },
    otherPerson: (name: string) => ({
      title: "Another person has signed in",
      detail: `This browser is now signed in as ${name}. Nothing was done.`,
    }),
    otherPersonNotice: (name: string) =>
      `Another person has signed in. This browser is now signed in as ${name}.`,
  },

  amounts: {
    writeDigits: "Write the amount with the digits 0 to 9, such as 37.50.",
    writeAmountOnly: (currency: string) =>
      `Write only the amount${currency && ` in ${currency}`}, such as 37.50.`,
    writePoint: "Write the amount with a decimal point, such as 1234.50.",
    writeInstead: (amount: string) => `Write ${amount}, with a decimal point.`,
  },
};

export const messages = inLanguage({ en });
