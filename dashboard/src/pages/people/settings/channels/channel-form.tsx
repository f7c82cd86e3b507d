import { SegmentedControl, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Ref, useRef, useState } from "react";
import { type Answer, call } from "../../../../server/client.ts";
import { ActionForm } from "../../../../components/forms/action-form.tsx";
import { EventChoice, isOffered } from "./event-choice.tsx";
import { messages } from "./messages.tsx";

type Channels = Answer<"GET /api/channels">;
type Channel = Channels["items"][number];
type Event = Channels["events"][number]["event"];

const FIRST_EVENTS: readonly Event[] = ["batch_awaiting_approval", "alarm_raised"];

/**
 * The form for a new notification channel, or for the settings of one. The kind and the secret of a
 * channel cannot change.
 */
export function ChannelForm({
  channel,
  channels: { events, can_mail: canMail },
  onSaved,
}: {
  /** The channel as the reader opened it. Null: a new one. */
  readonly channel: Channel | null;
  readonly channels: Channels;
  /** Receives the secret of a new webhook. */
  readonly onSaved: (secret: string | null) => void;
}) {
  const [kind, setKind] = useState(channel?.kind ?? (canMail ? "email" : "webhook"));
  const [name, setName] = useState(channel?.name ?? "");
  const [target, setTarget] = useState(channel?.target ?? "");
  const [chosen, setChosen] = useState<readonly string[]>(channel?.events ?? FIRST_EVENTS);
  const address = useRef<HTMLInputElement>(null);
  const given = { kind, name, target, events: chosen as Event[] };
  // The button is far below the field.
  const { save, refusal } = useSave(channel, given, onSaved, () => address.current?.focus());
  return (
    <ActionForm
      action={save}
      verb={channel === null ? messages.add : messages.save}
      disabled={chosen.length === 0}
    >
      {channel === null ? (
        <KindChoice
          value={kind}
          canMail={canMail}
          onChange={(value) => {
            setKind(value);
            setChosen(chosen.filter((event) => isOffered(event, value, events)));
          }}
        />
      ) : null}
      <TextInput
        label={messages.name}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data-autofocus
        required
      />
      <Target ref={address} kind={kind} value={target} refusal={refusal} onChange={setTarget} />
      {channel === null ? null : (
        <Text size="sm" c="dimmed">
          {messages.editEffect(kind)}
        </Text>
      )}
      <EventChoice kind={kind} events={events} chosen={chosen} onChange={setChosen} />
    </ActionForm>
  );
}

/** Saves the channel, after a check of its address. `refusal` says why payrun does not call it. */
function useSave(
  channel: Channel | null,
  given: Pick<Channel, "kind" | "name" | "target"> & { readonly events: Event[] },
  onSaved: (secret: string | null) => void,
  onRefused: () => void,
) {
  const [refused, setRefused] = useState<{ target: string; why: string } | null>(null);
  const { target } = given;
  const save = useMutation({
    mutationFn: async () => {
      // Saving a channel asks for the password, so the address is checked first.
      if (given.kind === "webhook") {
        const { why_not } = await call("POST /api/channels/check", { body: { target } });
        if (why_not !== null) {
          setRefused({ target, why: why_not });
          onRefused();
          return null;
        }
      }
      if (channel === null) return call("POST /api/channels", { body: given });
      const { id, version } = channel;
      await call("PUT /api/channels/:id", { params: { id }, body: { ...given, version } });
      return { secret: null };
    },
    onSuccess: (saved) => saved && onSaved(saved.secret),
  });
  return { save, refusal: refused?.target === target ? refused.why : null };
}

/** The kind of a new channel. Without a mail server, e-mail cannot be chosen. */
const KindChoice = ({
  value,
  canMail,
  onChange,
}: {
  readonly value: Channel["kind"];
  readonly canMail: boolean;
  readonly onChange: (kind: Channel["kind"]) => void;
}) => (
  <div>
    <SegmentedControl
      aria-label={messages.kind}
      fullWidth
      value={value}
      onChange={onChange}
      data={[
        { value: "email", label: messages.email, disabled: !canMail },
        { value: "webhook", label: messages.webhook },
      ]}
    />
    {canMail ? null : (
      <Text size="sm" c="dimmed" mt={4}>
        {messages.noMail}. {messages.noMailHint}
      </Text>
    )}
  </div>
);

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
