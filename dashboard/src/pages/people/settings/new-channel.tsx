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
  const [refusal, setRefusal] = useState<{ target: string; why: string } | null>(null);
  const make = useMutation({
    mutationFn: async () => {
      // Creating a channel asks for the password, so the address is checked first.
      if (kind === "webhook") {
        const { why_not } = await call("POST /api/channels/check", { body: { target } });
        if (why_not !== null) {
          setRefusal({ target, why: why_not });
          return null;
        }
      }
      return call("POST /api/channels", {
        body: { kind, name, target, events: chosen as Event[] },
      });
    },
    onSuccess: (made) => made && onMade(made.secret),
  });
  return (
    <ActionForm action={make} verb={texts.add} disabled={chosen.length === 0}>
      <SegmentedControl
        aria-label={texts.kind}
        value={kind}
        onChange={(value) => {
          setKind(value);
          setChosen(chosen.filter((name) => isOffered(name, value, events)));
        }}
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
      <Target
        kind={kind}
        value={target}
        refusal={refusal?.target === target ? refusal.why : null}
        onChange={setTarget}
      />
      <EventChoice kind={kind} events={events} chosen={chosen} onChange={setChosen} />
    </ActionForm>
  );
}

/** The address of the channel. `refusal` says why payrun does not call it. */
const Target = ({
  kind,
  value,
  refusal,
  onChange,
}: {
  readonly kind: Channel["kind"];
  readonly value: string;
  readonly refusal: string | null;
  readonly onChange: (value: string) => void;
}) => (
  <TextInput
    label={kind === "email" ? texts.emailAddress : texts.webhookAddress}
    description={kind === "email" ? null : texts.webhookHint}
    error={kind === "email" || refusal === null ? null : texts.addressRefused(refusal)}
    type={kind === "email" ? "email" : "url"}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    required
  />
);

const isOffered = (name: string, kind: Channel["kind"], events: Channels["events"]): boolean =>
  events.some(({ event, group }) => event === name && groupsOf(kind).includes(group));

/** The groups of events that a channel can receive. Single payouts are for programs only. */
const groupsOf = (kind: Channel["kind"]): Group[] =>
  (Object.keys(texts.groups) as Group[]).filter(
    (group) => kind === "webhook" || group !== "payouts",
  );

/** The events that the channel receives, in groups. */
const EventChoice = ({
  kind,
  events,
  chosen,
  onChange,
}: {
  readonly kind: Channel["kind"];
  readonly events: Channels["events"];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}) => (
  <Checkbox.Group label={texts.events} value={[...chosen]} onChange={onChange}>
    <Stack gap="sm" mt="xs">
      {groupsOf(kind).map((group) => (
        <EventGroup
          key={group}
          group={group}
          events={events.filter((each) => each.group === group)}
          showsPayload={kind === "webhook"}
        />
      ))}
    </Stack>
  </Checkbox.Group>
);

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
