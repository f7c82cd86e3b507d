import { ActionIcon } from "@mantine/core";
import { EllipsisVertical } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { messages } from "./messages.ts";

/** Loaded when a menu is opened. */
const OpenPayoutMenu = lazy(() => import("./open-payout-menu.tsx"));

/** The actions for one payout of a list, as a menu. */
export function PayoutMenu({ payout }: { readonly payout: ListedPayout }) {
  const [isUsed, setUsed] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-haspopup="menu"
      aria-label={messages.menu.label(payout.code)}
      onClick={() => setUsed(true)}
    >
      <EllipsisVertical size={16} aria-hidden />
    </ActionIcon>
  );
  return isUsed ? (
    <Suspense fallback={button}>
      <OpenPayoutMenu payout={payout} button={button} />
    </Suspense>
  ) : (
    button
  );
}
