import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { useNow } from "../../components/when.tsx";
import { plural } from "../../words.ts";
import { chosenOf, momentOf } from "../approvals/send-choice.ts";
import { sendTimeQuery, WhenItGoes } from "../approvals/when-it-goes.tsx";
import type { BatchPage } from "./queries.ts";
import { whenSent } from "./when-sent.ts";

/** When an approved batch goes out, or why it did not; and what one may do about it. */
export function GoesOut({
  batch,
  again,
}: {
  readonly batch: BatchPage;
  readonly again: () => void;
}) {
  const { send, state } = batch;
  const nowMs = useNow();
  if (send === null || send.let_go_at !== null) return null;
  const isOpen = state === "approved" || state === "paused";
  const actions = (
    <Group gap="xs">
      {batch.you.put_off.may ? <PutOff batch={batch} planned={send} again={again} /> : null}
      {batch.you.send_now.may ? <SendNow batch={batch} again={again} /> : null}
    </Group>
  );
  if (isOpen && send.stuck !== null) {
    return (
      <Alert color="orange" variant="light" title="It did not go out at its time">
        <Text size="sm">{send.stuck} Nothing of it was sent.</Text>
        {actions}
      </Alert>
    );
  }
  const when = whenSent(batch, nowMs);
  if (when === null) return null;
  return (
    <>
      <Text>{when} Its rows are checked again then.</Text>
      {actions}
    </>
  );
}

type Part = { readonly batch: BatchPage; readonly again: () => void };

function SendNow({ batch, again }: Part) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(true)}>
        Send now
      </Button>
      <ConfirmInNumbers
        opened={opened}
        onClose={() => setOpened(false)}
        title="Send it now?"
        sentence={`${plural(batch.payouts, "payout")} will be sent as soon as their rows were checked again.`}
        verb="Send now"
        asksReason
        onConfirm={async ({ reason }) => {
          const input = { params: { id: batch.batch_id }, body: { reason } };
          await call("POST /api/batches/:id/send-now", input);
          again();
        }}
      />
    </>
  );
}

/** Only to a later time: to let money go earlier than was approved is for an approver, who sends it now. */
function PutOff({
  batch,
  planned,
  again,
}: Part & { readonly planned: NonNullable<BatchPage["send"]> }) {
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState(() => chosenOf(planned.says));
  const id = batch.batch_id;
  const at = momentOf(chosen);
  const isOther = opened && chosen.date !== "" && at !== planned.says;
  const { data: told } = useQuery({ ...sendTimeQuery(id, at), enabled: isOther });
  const isLater = told && Date.parse(told.at) > Date.parse(planned.at);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpened(!opened)} aria-expanded={opened}>
        Put off
      </Button>
      {opened ? <WhenItGoes id={id} chosen={chosen} change={setChosen} isLater /> : null}
      {isOther && isLater ? <PutOffTo id={id} at={at} again={again} /> : null}
      {isOther && isLater === false ? (
        <Text size="sm" role="alert">
          Choose a time later than now planned, {planned.says}. Only an approver lets it go earlier,
          by sending it now.
        </Text>
      ) : null}
    </>
  );
}

function PutOffTo({
  id,
  at,
  again,
}: {
  readonly id: string;
  readonly at: string;
  readonly again: () => void;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" onClick={() => setOpened(true)}>
        Put off to {at}
      </Button>
      <ConfirmInNumbers
        opened={opened}
        onClose={() => setOpened(false)}
        title="Put it off?"
        sentence={`It will go out at ${at}.`}
        verb="Put off"
        asksReason
        onConfirm={async ({ reason }) => {
          await call("POST /api/batches/:id/put-off", { params: { id }, body: { at, reason } });
          again();
        }}
      />
    </>
  );
}
