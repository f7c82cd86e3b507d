import { Text } from "@mantine/core";
import { formatMoney } from "../../../base/money.ts";
import type { Answer } from "../../../server/client.ts";
import { messages as texts } from "./retry-messages.tsx";

type Shares = Answer<"GET /api/batches">["items"][number]["retried"];

/** How many declined payouts a retry has paid, and the amount that is still unpaid. */
export const RetriedShares = ({
  of,
  size = "sm",
}: {
  readonly of: Shares;
  readonly size?: "xs" | "sm";
}) =>
  of === null ? null : (
    <Text size={size} c={size === "xs" ? "dimmed" : undefined} component="span" display="block">
      {texts.result(
        of.declined,
        of.paid_by_retry,
        of.unpaid.count,
        of.unpaid.sums.map((sum) => formatMoney(sum)),
      )}
    </Text>
  );
