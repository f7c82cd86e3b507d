import { ActionIcon } from "@mantine/core";
import { EllipsisVertical } from "lucide-react";
import { lazy } from "react";
import { LateMenu, type MenuButtonProps } from "../../components/popover/late-menu.tsx";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { messages } from "./messages.ts";

/** Loaded when a menu is opened. */
const OpenPayoutMenu = lazy(() => import("./open-payout-menu.tsx"));

/** The actions for one payout of a list, as a menu. */
export function PayoutMenu({ payout }: { readonly payout: ListedPayout }) {
  const renderButton = (properties: MenuButtonProps) => (
    <ActionIcon
      {...properties}
      variant="subtle"
      color="gray"
      aria-label={messages.menu.label(payout.code)}
    >
      <EllipsisVertical size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <LateMenu renderButton={renderButton}>
      <OpenPayoutMenu payout={payout} renderButton={renderButton} />
    </LateMenu>
  );
}
