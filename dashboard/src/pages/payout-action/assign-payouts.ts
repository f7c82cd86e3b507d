import { notifications } from "@mantine/notifications";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { ApiProblem, call } from "../../server/client.ts";
import { messages } from "./messages.ts";

const texts = messages.bar;

const AT_ONCE = 8;
const RESULTS = ["assigned", "taken", "notNeeded", "failed"] as const;
type AssignmentResult = (typeof RESULTS)[number];

/**
 * Assigns each payout that needs attention and that nobody handles yet, and reports the number of
 * the others. The server refuses these.
 */
export async function assignPayouts(rows: readonly ListedPayout[], to: string): Promise<void> {
  const results: AssignmentResult[] = [];
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    const part = rows.slice(start, start + AT_ONCE);
    // Thousands of requests at once would fail.
    results.push(...(await Promise.all(part.map(({ code }) => assignOne(code, to)))));
  }
  const count = (result: AssignmentResult) => results.filter((each) => each === result).length;
  notifications.show({
    color: count("failed") > 0 ? "red" : undefined,
    message: texts.assigned(RESULTS.map((result) => texts.results[result](count(result)))),
  });
}

async function assignOne(code: string, to: string): Promise<AssignmentResult> {
  try {
    await call("PUT /api/payouts/:code/assignment", { params: { code }, body: { to, from: null } });
    return "assigned";
  } catch (error) {
    const refusal = error instanceof ApiProblem ? error.document.code : null;
    return refusal === "content_changed"
      ? "taken"
      : refusal === "wrong_state"
        ? "notNeeded"
        : "failed";
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
