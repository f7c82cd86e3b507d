import { Alert, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../client.ts";
import { ConfirmInNumbers, passedOf } from "../../components/confirm-in-numbers.tsx";
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
  if (send === null) return null;
  const isOpen = state === "approved" || state === "paused";
  const when = send.let_go_at === null ? whenSent(batch, nowMs) : null;
  return (
    <>
      {isOpen && send.let_go_at === null && send.stuck !== null ? (
        <Alert color="orange" variant="light" title="It did not go out at its time">
          <Text size="sm">{send.stuck} Nothing of it was sent.</Text>
        </Alert>
      ) : when === null ? null : (
        <Text>{when} Its rows are checked again then.</Text>
      )}
      {/* Always there: a question that somebody answers stays when the batch goes out under it. */}
      <Group gap="xs">
        <PutOff batch={batch} planned={send} again={again} />
        <SendNow batch={batch} again={again} />
      </Group>
    </>
  );
}

type Part = { readonly batch: BatchPage; readonly again: () => void };

function SendNow({ batch, again }: Part) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      {batch.you.send_now.may ? (
        <Button variant="default" size="xs" onClick={() => setOpened(true)}>
          Send now
        </Button>
      ) : null}
      <ConfirmInNumbers
        opened={opened}
        onClose={() => setOpened(false)}
        title="Send it now?"
        sentence={`${plural(batch.payouts, "payout")} will be sent as soon as their rows were checked again.`}
        verb="Send now"
        asksReason
        passed={passedOf(batch.you.send_now)}
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
  const [asked, setAsked] = useState<string | null>(null);
  const id = batch.batch_id;
  const { may } = batch.you.put_off;
  const at = momentOf(chosen);
  const isOther = may && opened && chosen.date !== "" && at !== planned.says;
  const { data: told } = useQuery({ ...sendTimeQuery(id, at), enabled: isOther });
  const isLater = told && Date.parse(told.at) > Date.parse(planned.at);
  return (
    <>
      {may ? (
        <Button
          variant="default"
          size="xs"
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          Put off
        </Button>
      ) : null}
      {may && opened ? <WhenItGoes id={id} chosen={chosen} change={setChosen} isLater /> : null}
      {isOther && isLater ? (
        <Button size="xs" onClick={() => setAsked(at)}>
          Put off to {at}
        </Button>
      ) : null}
      {asked === null ? null : (
        <ConfirmInNumbers
          opened
          onClose={() => setAsked(null)}
          title="Put it off?"
          sentence={`It will go out at ${asked}.`}
          verb="Put off"
          asksReason
          passed={passedOf(batch.you.put_off)}
          onConfirm={async ({ reason }) => {
            const input = { params: { id }, body: { at: asked, reason } };
            await call("POST /api/batches/:id/put-off", input);
            again();
          }}
        />
      )}
      {isOther && isLater === false ? (
        <Text size="sm" role="alert">
          Choose a time later than now planned, {planned.says}. Only an approver lets it go earlier,
          by sending it now.
        </Text>
      ) : null}
    </>
  );
}
