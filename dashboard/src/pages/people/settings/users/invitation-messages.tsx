import type { ReactNode } from "react";
import { inLanguage } from "../../../../base/language.ts";

const en = {
  title: "Pending invitations",
  caption: "Invited users who have not chosen a password yet",
  invited: "Invited",
  link: "Link",
  valid: (at: ReactNode) => <>valid until {at}</>,
  expired: "expired: create a new link",
  actions: "Actions",
  newLink: "New link",
  withdraw: "Withdraw",
  withdrawal: (name: string) => ({
    title: `Withdraw the invitation for ${name}`,
    sentence:
      "The link will no longer work. The user stays in the list as disabled, and you can enable them later.",
    verb: "Withdraw",
  }),
};

/** The texts of pending invitations. */
export const invitationMessages = inLanguage({ en });
