import { Checkbox, Code, Fieldset, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { ActionForm } from "../../../components/forms/action-form.tsx";
import { messages } from "./messages.tsx";

const texts = messages.notifications;

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Event = Channels["events"][number]["event"];
type Group = Channels["events"][number]["group"];

/** The form for a new notification channel. */
export function NewChannelForm({
  events,
  onMade,
}: {
  readonly events: Channels["events"];
  readonly onMade: (secret: string | null) => void;
}) {
  const [kind, setKind] = useState<Channel["kind"]>("email");
  const [name, setName] = useState("");
  const [target, setTarget] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([
    "batch_awaiting_approval",
    "alarm_raised",
  ]);
  const make = useMutation({
    mutationFn: () =>
      call("POST /api/channels", { body: { kind, name, target, events: chosen as Event[] } }),
    onSuccess: ({ secret }) => onMade(secret),
  });
  return (
    <ActionForm action={make} verb={texts.add} disabled={chosen.length === 0}>
      <SegmentedControl
        aria-label={texts.kind}
        value={kind}
        onChange={(value) => setKind(value)}
        data={[
          { value: "email", label: texts.email },
          { value: "webhook", label: texts.webhook },
        ]}
      />
      <TextInput
        label={texts.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <TextInput
        label={kind === "email" ? texts.emailAddress : texts.webhookAddress}
        type={kind === "email" ? "email" : "url"}
        value={target}
        onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        required
      />
      <Checkbox.Group label={texts.events} value={[...chosen]} onChange={setChosen}>
        <Stack gap="sm" mt="xs">
          {GROUPS.map((group) => (
            <EventGroup
              key={group}
              group={group}
              events={events.filter((each) => each.group === group)}
              showsPayload={kind === "webhook"}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </ActionForm>
  );
}

const GROUPS = Object.keys(texts.groups) as Group[];

/** The events of one group. For a webhook, each has an example of the document that it receives. */
const EventGroup = ({
  group,
  events,
  showsPayload,
}: {
  readonly group: Group;
  readonly events: Channels["events"];
  readonly showsPayload: boolean;
}) => (
  <Fieldset legend={texts.groups[group]}>
    <Stack gap="xs">
      {events.map(({ event, says, example }) => (
        <div key={event}>
          <Checkbox value={event} label={says} />
          {showsPayload ? (
            <details>
              <summary>{texts.payload(event)}</summary>
              <Code block tabIndex={0}>
                {JSON.stringify(example, null, 2)}
              </Code>
            </details>
          ) : null}
        </div>
      ))}
    </Stack>
  </Fieldset>
);
