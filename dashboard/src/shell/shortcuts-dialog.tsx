import { Modal, Stack, Switch } from "@mantine/core";
import { useEffect, useState } from "react";
import { FactList, type Facts } from "../components/fact-list.tsx";
import { useShortcutSetting } from "../base/shortcuts.ts";
import { useDestinations } from "./page-shortcuts.ts";
import { dialogMessages as messages } from "./dialog-messages.ts";

const texts = messages.shortcuts;

const EVERYWHERE: Facts = [
  ["/", texts.search],
  ["j, k", texts.rows],
  ["n, p", texts.findings],
  ["?", texts.help],
];

/** The list of keyboard shortcuts, and the switch that turns single-letter shortcuts off. */
export default function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const [on, turn] = useShortcutSetting();
  // Opens after mounting, so that it can return the focus to the element that had it.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(true), []);
  const pages: Facts = useDestinations().map(({ letter, label }) => [`g ${letter}`, label]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.title}
      closeButtonProps={{ "aria-label": texts.close }}
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      <Stack>
        <Switch
          label={texts.switch}
          description={texts.switchHint}
          checked={on}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />
        <FactList facts={[...EVERYWHERE, ...pages]} />
      </Stack>
    </Modal>
  );
}
