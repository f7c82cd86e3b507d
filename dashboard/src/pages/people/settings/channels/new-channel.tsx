import { Checkbox, Code, Fieldset, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Ref, useRef, useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ActionForm } from "../../../../components/forms/action-form.tsx";
import { messages } from "./messages.tsx";

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
  const address = useRef<HTMLInputElement>(null);
  const make = useMutation({
    mutationFn: async () => {
      // Creating a channel asks for the password, so the address is checked first.
      if (kind === "webhook") {
        const { why_not } = await call("POST /api/channels/check", { body: { target } });
        if (why_not !== null) {
          setRefusal({ target, why: why_not });
          // The button is far below the field.
          address.current?.focus();
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
    <ActionForm action={make} verb={messages.add} disabled={chosen.length === 0}>
      <SegmentedControl
        aria-label={messages.kind}
        value={kind}
        onChange={(value) => {
          setKind(value);
          setChosen(chosen.filter((name) => isOffered(name, value, events)));
        }}
        data={[
          { value: "email", label: messages.email },
          { value: "webhook", label: messages.webhook },
        ]}
      />
      <TextInput
        label={messages.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <Target
        ref={address}
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
  ref,
  kind,
  value,
  refusal,
  onChange,
}: {
  readonly ref: Ref<HTMLInputElement>;
  readonly kind: Channel["kind"];
  readonly value: string;
  readonly refusal: string | null;
  readonly onChange: (value: string) => void;
}) => (
  <TextInput
    ref={ref}
    label={kind === "email" ? messages.emailAddress : messages.webhookAddress}
    description={kind === "email" ? null : messages.webhookHint}
    error={kind === "email" || refusal === null ? null : messages.addressRefused(refusal)}
    type={kind === "email" ? "email" : "url"}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
    required
  />
);

const isOffered = (name: string, kind: Channel["kind"], events: Channels["events"]): boolean =>
  events.some(({ event, group }) => event === name && groupsOf(kind).includes(shownGroup(group)));

type ShownGroup = keyof typeof messages.groups;

/** The group in the form. Schedules have a single event, which is about a batch that is missing. */
const shownGroup = (group: Group): ShownGroup => (group === "schedules" ? "batches" : group);

/** The groups of events that a channel can receive. Single payouts are for programs only. */
const groupsOf = (kind: Channel["kind"]): ShownGroup[] =>
  (Object.keys(messages.groups) as ShownGroup[]).filter(
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
  <Checkbox.Group label={messages.events} value={[...chosen]} onChange={onChange}>
    <Stack gap="sm" mt="xs">
      {groupsOf(kind).map((group) => (
        <EventGroup
          key={group}
          group={group}
          events={events.filter((each) => shownGroup(each.group) === group)}
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
  readonly group: ShownGroup;
  readonly events: Channels["events"];
  readonly showsPayload: boolean;
}) => (
  <Fieldset legend={messages.groups[group]}>
    <Stack gap="xs">
      {events.map(({ event, says, example }) => (
        <div key={event}>
          <Checkbox value={event} label={says} />
          {showsPayload ? (
            <details>
              <summary>{messages.payload(event)}</summary>
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
