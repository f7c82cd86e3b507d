import { type Answer, call } from "../../server/client.ts";
import { messages } from "./messages.ts";

/** The statements that replace a compared one when an approver confirms them. */
export const replacementsQuery = {
  queryKey: ["GET /api/statements"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call("GET /api/statements", { signal }),
};

/** A statement that waits for an approver. */
export type Replacement = Answer<"GET /api/statements">["items"][number];

/** "Asha Rao or Ben Fox must confirm this file." */
export const waitsForText = (approvers: readonly string[]): string =>
  messages.replacements.waitsFor(approvers);
