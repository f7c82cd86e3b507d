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
  returnFocus,
  close,
  onClosed,
  children,
}: {
  readonly title: string;
  readonly closeLabel: string;
  readonly opened: boolean;
  readonly isPhone: boolean;
  /** Whether the focus returns to the button that opened the dialog. */
  readonly returnFocus: boolean;
  readonly close: () => void;
  /** Called when the dialog is no longer shown, so that the page can move the focus. */
  readonly onClosed: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Modal
      opened={opened}
      returnFocus={returnFocus}
      keepMounted
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={title}
      fullScreen={isPhone}
      size="lg"
      closeButtonProps={{ "aria-label": closeLabel }}
    >
      {children}
    </Modal>
  );
}
