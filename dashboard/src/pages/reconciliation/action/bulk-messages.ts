import { counted, inLanguage } from "../../../base/language.ts";

const breaks = (count: number) => counted(count, "break", "breaks");

/** The texts of one action on several breaks. */
interface ActionTexts {
  readonly verb: string;
  readonly title: string;
  readonly effect: string;
  readonly apply: (count: number) => string;
  readonly done: (count: number) => string;
}

const actions = {
  assign: {
    verb: "Assign",
    title: "Assign breaks",
    effect: "The person becomes responsible for these breaks. They stay open.",
    apply: (count: number) => `Assign ${breaks(count)}`,
    done: (count: number) => `${breaks(count)} assigned`,
  },
  propose: {
    verb: "Propose resolution",
    title: "Propose a resolution",
    effect:
      "The breaks stay open until an approver who is not the proposer confirms the resolution.",
    apply: (count: number) => `Propose for ${breaks(count)}`,
    done: (count: number) => `Resolution proposed for ${breaks(count)}`,
  },
  confirm: {
    verb: "Confirm proposals",
    title: "Confirm proposed resolutions",
    effect: "You confirm, as the second person, that these differences are explained.",
    apply: (count: number) => `Confirm ${breaks(count)}`,
    done: (count: number) => `${breaks(count)} resolved`,
  },
  reject: {
    verb: "Reject proposals",
    title: "Reject proposed resolutions",
    effect: "The breaks are open again.",
    apply: (count: number) => `Reject for ${breaks(count)}`,
    done: (count: number) => `Proposals rejected for ${breaks(count)}`,
  },
} satisfies Record<string, ActionTexts>;

const en = {
  actions,
  kind: "Break",
  count: "Number",
  difference: "Statement less ledger",
  notChanged: "Not changed",
  reasons: {
    moved: (count: number) => `${breaks(count)} changed since the preview`,
    finished: (count: number) => `${breaks(count)} already resolved or closed`,
    proposed: (count: number) => `${breaks(count)} with a proposal that an approver must decide`,
    not_proposed: (count: number) => `${breaks(count)} without a proposal`,
    needs_approver: (count: number) =>
      `${breaks(count)} with a user’s proposal, which an approver must decide`,
    own_proposal: (count: number) => `${breaks(count)} with your own proposal`,
  },
  explanations: "Proposed explanations",
  explanationOf: (text: string, by: string, count: number) => `“${text}” (${by}, ${breaks(count)})`,
  assignee: "Assign to",
  nobody: "Nobody (remove the assignment)",
  explanation: "Explanation",
  explanationHint: "It is recorded for each break, for example: returned on 3 Dec, see ticket 4711",
  cancel: "Go back",
  close: "Close",
  show: "Show these breaks and their results",
  none: "None of the selected breaks can be changed in this way.",
};

export const messages = inLanguage({ en });
