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
  propose: "Propose invitation",
  linkHere: "The link appears on this page, for you to pass on.",
  anotherAdmin:
    "Another admin must confirm this invitation, so that nobody alone adds a person who can release money. The other admin sees it on Home and in Settings. The link then appears to that admin, who passes it on.",
  loneAdmin:
    "You are the only admin. The link can be created after 24 hours, under Pending changes on this page.",
  withdrawal: (name: string) => ({
    title: `Withdraw the invitation for ${name}`,
    sentence:
      "The link will no longer work. The user stays in the list as disabled, and you can enable them later.",
    verb: "Withdraw",
  }),
};

/** The texts of pending invitations. */
export const invitationMessages = inLanguage({ en });
