import { Modal, Stack, Switch } from "@mantine/core";
import { useEffect, useState } from "react";
import { FactList, type Facts } from "../components/fact-list.tsx";
import { useKeySwitch } from "../keys.ts";
import { useDestinations } from "./go-keys.ts";

const EVERYWHERE: Facts = [
  ["/", "Search, as Ctrl K does"],
  ["j, k", "The next, the previous row of a list"],
  ["n, p", "The next, the previous row with a finding"],
  ["?", "These keys"],
];

/** What there is to press, and the switch that turns it off. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const [on, turn] = useKeySwitch();
  // Opened after it is there: only so does it know what had the focus, and gives it back.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(true), []);
  const pages: Facts = useDestinations().map(({ letter, label }) => [`g ${letter}`, label]);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keys"
      closeButtonProps={{ "aria-label": "Close" }}
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      <Stack>
        <Switch
          label="Keys of one letter"
          description="For this browser. Ctrl K and Enter work in any case."
          checked={on}
          onChange={({ currentTarget }) => turn(currentTarget.checked)}
        />
        <FactList facts={[...EVERYWHERE, ...pages]} />
      </Stack>
    </Modal>
  );
}
