import { Modal } from "@mantine/core";
import type { ComponentProps } from "react";
import { ConfirmAction } from "../../../../components/forms/confirm-action.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { ChannelForm } from "./channel-form.tsx";
import { messages } from "./messages.tsx";

type Channel = Answer<"GET /api/channels">["items"][number];

/** Adds or edits a channel. */
export const ChannelDialog = ({
  onClose,
  ...form
}: ComponentProps<typeof ChannelForm> & { readonly onClose: () => void }) => (
  <Modal
    opened
    onClose={onClose}
    size="lg"
    title={form.channel ? messages.editTitle(form.channel.name) : messages.add}
    closeButtonProps={{ "aria-label": messages.close }}
  >
    <ChannelForm {...form} />
  </Modal>
);

/** Removes a channel after a confirmation. */
export const RemoveDialog = ({
  channel: { id, name },
  onClose,
  onRemoved,
}: {
  readonly channel: Channel;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) => (
  <ConfirmAction
    opened
    onClose={onClose}
    title={messages.removeTitle(name)}
    sentence={messages.removeEffect}
    verb={messages.remove}
    danger
    onConfirm={async () => {
      await call("DELETE /api/channels/:id", { params: { id } });
      onRemoved();
    }}
  />
);
