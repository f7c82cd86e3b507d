import type { ReactNode } from "react";
import { inLanguage } from "../../../base/language.ts";

const en = {
  assignment: {
    groupOwner: (name: ReactNode) => <>The whole failure group is assigned to {name}.</>,
    nobody: "Not assigned.",
    owner: (name: ReactNode) => <>Assigned to {name}.</>,
    disabled: "This user is disabled. Assign someone else.",
    assign: "Assign",
    assignToMe: "Assign to me",
    scope: "Applies to this failure group in all batches.",
    assignedTo: "Assigned to",
    nobodyChoice: "nobody",
    you: (name: string) => `${name} (you)`,
  },

  snooze: {
    until: (until: ReactNode, by: string) => (
      <>
        Snoozed until {until} by {by}.
      </>
    ),
    back: {
      day: "Back on the list because the snooze has ended.",
      change: "Back on the list because the item changed after it was snoozed.",
    },
    snooze: "Snooze",
    end: "End snooze",
    day: "Hide from the list until",
    hint: "The item will return to the list on the morning of the chosen day, or earlier if it changes. A snoozed item still counts towards totals and alarms.",
  },
};

export const messages = inLanguage({ en });
