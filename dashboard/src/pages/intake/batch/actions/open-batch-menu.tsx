import { Menu } from "@mantine/core";
import type { ReactElement } from "react";
import { detailMessages } from "../../../../components/detail-messages.tsx";
import type { MenuButtonProps } from "../../../../components/popover/late-menu.tsx";
import { OpeningMenu } from "../../../../components/popover/opening-menu.tsx";
import { messages } from "../../messages.tsx";
import type { BatchView } from "../../batch-view.ts";
import type { Setting } from "./batch-menu.tsx";

/** The menu of the settings of a batch, which opens at once. */
export default function OpenBatchMenu({
  batch: { you, priority },
  onChoose,
  renderButton,
}: {
  readonly batch: BatchView;
  readonly onChoose: (setting: Setting) => void;
  readonly renderButton: (properties: MenuButtonProps) => ReactElement;
}) {
  return (
    <OpeningMenu renderButton={renderButton}>
      {you.set_canary.may ? (
        <Menu.Item onClick={() => onChoose("canary")}>{messages.canary.label}</Menu.Item>
      ) : null}
      {you.prioritize.may ? (
        <Menu.Item onClick={() => onChoose("priority")}>
          {detailMessages.priority.button(priority)}
        </Menu.Item>
      ) : null}
    </OpeningMenu>
  );
}
