import { Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ActionForm } from "../../components/forms/action-form.tsx";
import { type Answer, call } from "../../server/client.ts";
import { AmountFormat } from "../intake/upload/reading/amount-format.tsx";
import { messages } from "./messages.tsx";
import { AMOUNT_STYLES, type AmountStyle, draftOf, settingsOf } from "./schedule-draft.ts";

const texts = messages.amounts;

const styleOf = (format: string | null): AmountStyle | null =>
  AMOUNT_STYLES.find((each) => each === format) ?? null;

type Schedule = Answer<"GET /api/schedules">["items"][number];

/**
 * Asks how the amounts of the file in a folder are written. The choice becomes a setting of the
 * schedule, and payrun then reads the file again.
 */
export default function ChooseAmountsDialog({
  schedule,
  proposal,
  reload,
  close,
}: {
  readonly schedule: Schedule;
  readonly proposal: NonNullable<Schedule["occurrences"][number]["amounts"]>;
  readonly reload: () => void;
  readonly close: () => void;
}) {
  const [format, setFormat] = useState(styleOf(proposal.proposed));
  const save = useMutation({
    mutationFn: () =>
      call("PUT /api/schedules/:id", {
        params: { id: schedule.id },
        body: {
          ...settingsOf({ ...draftOf(schedule), amounts: format ?? "" }, false),
          version: schedule.version,
        },
      }),
    onSuccess: () => {
      reload();
      close();
    },
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={texts.title}
      closeButtonProps={{ "aria-label": messages.form.close }}
    >
      <Stack>
        <Text size="sm">{texts.effect}</Text>
        <ActionForm action={save} verb={texts.save} disabled={format === null}>
          <AmountFormat
            amounts={proposal}
            format={format}
            onChange={(next) => setFormat(styleOf(next))}
          />
        </ActionForm>
      </Stack>
    </Modal>
  );
}
