import { notifications } from "@mantine/notifications";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { ApiProblem, call } from "../../server/client.ts";
import { messages } from "./messages.ts";

const texts = messages.bar;

/**
 * Assigns a payout that needs attention and that nobody handles yet, and reports the result. The
 * server refuses others.
 */
export async function assignPayout(code: string, to: string): Promise<void> {
  try {
    await call("PUT /api/payouts/:code/assignment", { params: { code }, body: { to, from: null } });
    notifications.show({ message: texts.assigned });
  } catch (error) {
    const refusal = error instanceof ApiProblem ? error.document.code : null;
    if (refusal === "content_changed") notifications.show({ message: texts.taken });
    else if (refusal === "wrong_state") notifications.show({ message: texts.notNeeded });
    else notifications.show({ color: "red", message: texts.notAssigned });
  }
}

/** Copies the codes, one per line, and reports the result. */
export async function copyCodes(rows: readonly ListedPayout[]): Promise<void> {
  const codes = rows.map(({ code }) => code).join("\n");
  const isCopied = await navigator.clipboard.writeText(codes).then(
    () => true,
    () => false,
  );
  notifications.show({ message: isCopied ? texts.copied(rows.length) : texts.notCopied });
}
