import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { messages } from "./messages.tsx";

/** A dialog with the form of a schedule. */
export const ScheduleDialog = ({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Modal
    opened
    onClose={onClose}
    size="xl"
    title={title}
    closeButtonProps={{ "aria-label": messages.form.close }}
  >
    {children}
  </Modal>
);
