import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { payoutStateDisplay } from "../../base/state.ts";
import type { MenuButtonProps } from "../../components/popover/late-menu.tsx";
import { OpeningMenu } from "../../components/popover/opening-menu.tsx";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { call } from "../../server/client.ts";
import { errorText } from "../../server/error-text.ts";
import { queryClient } from "../../server/query-client.ts";
import { useMay, usePerson } from "../../server/session.ts";
import { assignPayout, copyCodes } from "../payout-action/assign-payouts.ts";
import { messages } from "./messages.ts";
import { cachePayout } from "./payout-query.ts";

const texts = messages.menu;

/** The states in which the gateway may have an answer that payrun does not know yet. */
const QUERIED: readonly PayoutState[] = ["submitting", "accepted", "in_doubt", "on_hold"];

/** The menu of a payout, which opens at once. */
export default function OpenPayoutMenu({
  payout,
  renderButton,
}: {
  readonly payout: ListedPayout;
  readonly renderButton: (properties: MenuButtonProps) => ReactElement;
}) {
  return (
    <OpeningMenu renderButton={renderButton}>
      <Items payout={payout} />
    </OpeningMenu>
  );
}

/** The actions that the reader may take. */
function Items({ payout }: { readonly payout: ListedPayout }) {
  const { code, state } = payout;
  const mayOperate = useMay("operate");
  const person = usePerson();
  return (
    <>
      <Menu.Item component={Link} to={`/payouts/${encodeURIComponent(code)}/evidence`}>
        {texts.evidence}
      </Menu.Item>
      {/* A page without https has no clipboard. */}
      {navigator.clipboard ? (
        <Menu.Item onClick={() => void copyCodes([payout])}>{texts.copy}</Menu.Item>
      ) : null}
      {mayOperate && person ? (
        <Menu.Item onClick={() => void assignPayout(code, person.id)}>{texts.assign}</Menu.Item>
      ) : null}
      {mayOperate && QUERIED.includes(state) ? (
        <Menu.Item onClick={() => void queryStatus(code)}>{texts.query}</Menu.Item>
      ) : null}
    </>
  );
}

/** Queries the status at the gateway, and reports the state of the payout afterwards. */
async function queryStatus(code: string): Promise<void> {
  try {
    const payout = await call("POST /api/payouts/:code/query", { params: { code } });
    cachePayout(payout);
    notifications.show({ message: texts.queried(code, payoutStateDisplay(payout).word) });
    await queryClient.invalidateQueries({ queryKey: ["GET /api/payouts"] });
  } catch (error) {
    const { title, detail } = errorText(error);
    notifications.show({ color: "red", title, message: detail });
  }
}
