import { Modal } from "@mantine/core";
import type { ReactNode } from "react";

/**
 * A dialog for the fields of an approval. It has the full height of a phone, and keeps typed totals
 * while it is closed.
 */
export default function ApproveDialog({
  title,
  closeLabel,
  opened,
  isPhone,
  close,
  children,
}: {
  readonly title: string;
  readonly closeLabel: string;
  readonly opened: boolean;
  readonly isPhone: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened={opened}
      keepMounted
      onClose={close}
      title={title}
      fullScreen={isPhone}
      size="lg"
      closeButtonProps={{ "aria-label": closeLabel }}
    >
      {children}
    </Modal>
  );
}
