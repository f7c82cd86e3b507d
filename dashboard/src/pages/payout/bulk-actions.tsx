import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { formatMoney, sumByCurrency } from "../../base/money.ts";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { ApiProblem, call } from "../../server/client.ts";
import { useMay, usePerson } from "../../server/session.ts";
import { messages } from "./messages.ts";

const texts = messages.bulk;

/** The sums of the selected payouts, and what can be done with all of these payouts at once. */
export default function BulkActions({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const mayAssign = useMay("operate");
  const copy = async (): Promise<void> => {
    const codes = rows.map(({ code }) => code).join("\n");
    const isCopied = await navigator.clipboard.writeText(codes).then(
      () => true,
      () => false,
    );
    notifications.show({ message: isCopied ? texts.copied(rows.length) : texts.notCopied });
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {sumByCurrency(rows)
          .map((sum) => formatMoney(sum))
          .join(" · ")}
      </Text>
      {mayAssign ? <AssignToMe rows={rows} /> : null}
      {/* A page without https has no clipboard. */}
      {navigator.clipboard ? (
        <Button variant="default" onClick={() => void copy()}>
          {texts.copy}
        </Button>
      ) : null}
    </>
  );
}

/**
 * Assigns each selected payout that needs attention and that nobody handles yet. The server refuses
 * the others.
 */
function AssignToMe({ rows }: { readonly rows: readonly ListedPayout[] }) {
  const person = usePerson();
  const assign = useMutation({
    mutationFn: async (to: string) => {
      const results: AssignmentResult[] = [];
      for (let start = 0; start < rows.length; start += AT_ONCE) {
        const part = rows.slice(start, start + AT_ONCE);
        // Thousands of requests at once would fail.
        results.push(...(await Promise.all(part.map(({ code }) => assignOne(code, to)))));
      }
      return results;
    },
    onSuccess: (results) => {
      const count = (result: AssignmentResult) => results.filter((each) => each === result).length;
      notifications.show({
        color: count("failed") > 0 ? "red" : undefined,
        message: texts.assigned(RESULTS.map((result) => texts.results[result](count(result)))),
      });
    },
  });
  return person === null ? null : (
    <Button loading={assign.isPending} onClick={() => assign.mutate(person.id)}>
      {texts.assign(rows.length)}
    </Button>
  );
}

const AT_ONCE = 8;
const RESULTS = ["assigned", "taken", "notNeeded", "failed"] as const;
type AssignmentResult = (typeof RESULTS)[number];

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
