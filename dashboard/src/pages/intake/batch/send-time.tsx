import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../server/client.ts";
import { ConfirmAction, unavailableReason } from "../../../components/forms/confirm-action.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { choiceOf, sendTimeText } from "../../approval/send-time-choice.ts";
import { sendTimeQuery, SendTimeFields } from "../../approval/send-time-fields.tsx";
import { messages } from "../messages.tsx";
import type { BatchView } from "../batch-view.ts";
import { scheduledSendText } from "../scheduled-send-text.ts";

const texts = messages.sendTime;

/** When payrun sends the batch, or why it held it back, and the actions to change that. */
export function SendTime({
  batch,
  reload,
}: {
  readonly batch: BatchView;
  readonly reload: () => void;
}) {
  const { send, state } = batch;
  const nowMs = useNow();
  if (send === null) return null;
  const isOpen = state === "approved" || state === "paused";
  const when = send.released_at === null ? scheduledSendText(batch, nowMs) : null;
  return (
    <>
      {isOpen && send.released_at === null && send.held_back !== null ? (
        <Alert color="orange" variant="light" title={texts.heldBack}>
          <Text size="sm">{texts.heldBackText(send.held_back)}</Text>
        </Alert>
      ) : when === null ? null : (
        <Text>{texts.checkedAgain(when)}</Text>
      )}
      {/* Always rendered: an open dialog stays open when payrun sends the batch meanwhile. */}
      <Group gap="xs">
        <Reschedule batch={batch} planned={send} reload={reload} />
        <SendNow batch={batch} reload={reload} />
      </Group>
    </>
  );
}

type Part = { readonly batch: BatchView; readonly reload: () => void };

function SendNow({ batch, reload }: Part) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {batch.you.send_now.may ? (
        <Button variant="default" size="xs" onClick={() => setOpened(true)}>
          {texts.sendNow}
        </Button>
      ) : null}
      <ConfirmAction
        opened={opened}
        onClose={() => setOpened(false)}
        title={texts.sendNowTitle}
        sentence={texts.sendNowText(batch.payouts)}
        verb={texts.sendNow}
        asksReason
        passed={unavailableReason(batch.you.send_now)}
        onConfirm={async ({ reason }) => {
          const input = { params: { id: batch.batch_id }, body: { reason } };
          await call("POST /api/batches/:id/send-now", input);
          reload();
        }}
      />
    </>
  );
}

/** Reschedules to a later time only. An approver can send the batch earlier, with "Send now". */
function Reschedule({
  batch,
  planned,
  reload,
}: Part & { readonly planned: NonNullable<BatchView["send"]> }) {
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState(() => choiceOf(planned.says));
  const [asked, setAsked] = useState<string | null>(null);
  const id = batch.batch_id;
  const { may } = batch.you.reschedule;
  const at = sendTimeText(chosen);
  const isOther = may && opened && chosen.date !== "" && at !== planned.says;
  const { data: report } = useQuery({ ...sendTimeQuery(id, at), enabled: isOther });
  const isLater = report && Date.parse(report.at) > Date.parse(planned.at);
  return (
    <>
      {may ? (
        <Button
          variant="default"
          size="xs"
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          {texts.reschedule}
        </Button>
      ) : null}
      {may && opened ? <SendTimeFields id={id} chosen={chosen} change={setChosen} isLater /> : null}
      {isOther && isLater ? (
        <Button size="xs" onClick={() => setAsked(at)}>
          {texts.rescheduleTo(at)}
        </Button>
      ) : null}
      {asked === null ? null : (
        <ConfirmAction
          opened
          onClose={() => setAsked(null)}
          title={texts.rescheduleTitle}
          sentence={texts.rescheduleText(asked)}
          verb={texts.reschedule}
          asksReason
          passed={unavailableReason(batch.you.reschedule)}
          onConfirm={async ({ reason }) => {
            const input = { params: { id }, body: { at: asked, reason } };
            await call("POST /api/batches/:id/reschedule", input);
            reload();
          }}
        />
      )}
      {isOther && isLater === false ? (
        <Text size="sm" role="alert">
          {texts.notLater(planned.says)}
        </Text>
      ) : null}
    </>
  );
}
