import { lazy, type ReactElement, type ReactNode, type Ref, Suspense, useState } from "react";

/** Loaded when the reader opens the first popover of a page. */
const OpeningPopover = lazy(() => import("./opening-popover.tsx"));

export interface LatePopoverProps {
  /** Returns the button that opens the popover, with these properties. */
  readonly button: (properties: {
    readonly onClick: () => void;
    readonly "aria-haspopup": "dialog";
    readonly ref?: Ref<HTMLButtonElement>;
  }) => ReactElement;
  readonly position: "bottom-start" | "bottom-end";
  readonly width?: number;
  readonly className?: string | undefined;
  /** The content; `close` closes the popover. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button and its popover, which loads when the reader opens it. */
export function LatePopover(props: LatePopoverProps) {
  const [isUsed, setUsed] = useState(false);
  const closed = props.button({ onClick: () => setUsed(true), "aria-haspopup": "dialog" });
  return isUsed ? (
    <Suspense fallback={closed}>
      <OpeningPopover {...props} />
    </Suspense>
  ) : (
    closed
  );
}
