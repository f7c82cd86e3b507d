import { useState } from "react";
import type { ApprovalSheet } from "../queries.ts";

type Finding = NonNullable<ApprovalSheet["anomalies"]>["to_acknowledge"][number];

/** The findings that the approver must check, and those that were ticked. */
export interface Acknowledgements {
  /** Null: the reader decides nothing, so there is nothing to tick. */
  readonly of: (flag: string) => Tick | null;
  /** The findings that are not ticked yet. */
  readonly left: readonly Finding[];
  /** The ticked findings, for the request that approves the batch. */
  readonly given: readonly Pick<Finding, "finding" | "rows">[];
}

/** A finding to tick. */
export interface Tick {
  readonly says: string;
  readonly isTicked: boolean;
  readonly set: (isTicked: boolean) => void;
}

/** A tick counts for the content and the number of rows for which it was set. */
const keyOf = ({ content_digest: digest }: ApprovalSheet, { finding, rows }: Finding): string =>
  `${digest} ${finding} ${rows}`;

/** Remembers which findings the approver has ticked while the page is open. */
export function useAcknowledgements(sheet: ApprovalSheet): Acknowledgements {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const mayApprove = sheet.state === "awaiting_approval" && sheet.you.approve.may;
  const needed = mayApprove ? (sheet.anomalies?.to_acknowledge ?? []) : [];
  const isTicked = (each: Finding): boolean => ticked.has(keyOf(sheet, each));
  return {
    of: (flag) => {
      const found = needed.find(({ finding }) => finding === flag);
      if (!found) return null;
      const set = (isSet: boolean): void =>
        setTicked((before) => {
          const after = new Set(before);
          if (isSet) after.add(keyOf(sheet, found));
          else after.delete(keyOf(sheet, found));
          return after;
        });
      return { says: found.says, isTicked: isTicked(found), set };
    },
    left: needed.filter((each) => !isTicked(each)),
    given: needed.filter(isTicked).map(({ finding, rows }) => ({ finding, rows })),
  };
}

/** Shows the first finding that is not ticked, and moves the focus to its tick box. */
export function showFirstLeft(): void {
  const box = document.querySelector<HTMLInputElement>("input[data-acknowledge]:not(:checked)");
  box?.scrollIntoView({ block: "center" });
  box?.focus({ preventScroll: true });
}
