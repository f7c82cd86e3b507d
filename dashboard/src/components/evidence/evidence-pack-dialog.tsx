import { Button, Group, Modal, Radio, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { PackAccounts } from "./evidence-pack.tsx";
import { messages as texts } from "./messages.ts";

/** Says what leaves payrun, and lets a person who may see accounts choose a masked pack. */
export default function EvidencePackDialog({
  mayBeFull,
  addressOf,
  close,
}: {
  readonly mayBeFull: boolean;
  readonly addressOf: (accounts: PackAccounts) => string;
  readonly close: () => void;
}) {
  const [accounts, setAccounts] = useState<PackAccounts>("masked");
  return (
    <Modal
      opened
      onClose={close}
      title={texts.title}
      closeButtonProps={{ "aria-label": texts.close }}
      centered
    >
      <Stack>
        <Text size="sm">{texts.explanation}</Text>
        {mayBeFull ? (
          <Radio.Group
            label={texts.accounts}
            value={accounts}
            onChange={(chosen) => setAccounts(chosen)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="masked" label={texts.masked} description={texts.maskedHint} />
              <Radio value="in_full" label={texts.full} description={texts.fullHint} />
            </Stack>
          </Radio.Group>
        ) : (
          <Text size="sm">
            {texts.accounts}: {texts.masked}. {texts.maskedHint}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {texts.verification}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
          <Button component="a" href={addressOf(accounts)} onClick={close}>
            {texts.download}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
