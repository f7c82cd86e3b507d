import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";

/** Options of a query that makes a preview. The preview is repeated only on request. */
export const PREVIEW_OPTIONS = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
} as const;

/** The frame of a dialog that previews an action, applies it and shows the result. */
export function PreviewDialog({
  title,
  closeLabel,
  isApplying,
  onClosed,
  children,
}: {
  readonly title: string;
  readonly closeLabel: string;
  readonly isApplying: boolean;
  /** Called when the dialog has disappeared. */
  readonly onClosed: () => void;
  readonly children: (close: () => void) => ReactNode;
}) {
  // Opens after mounting, so that it can return the focus to the element that had it.
  const [opened, setOpened] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the second rendering is the point
  useEffect(() => setOpened(true), []);
  const close = (): void => {
    // Stays open while the request runs: a closed dialog would suggest a cancelled action.
    if (!isApplying) setOpened(false);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      title={title}
      closeButtonProps={{ "aria-label": closeLabel }}
      size="lg"
      centered
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
    >
      {children(close)}
    </Modal>
  );
}
