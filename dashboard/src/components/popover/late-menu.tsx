import { type ReactElement, type ReactNode, type Ref, Suspense, useState } from "react";

/** Properties of the button that opens a menu. */
export interface MenuButtonProps {
  readonly "aria-haspopup"?: "menu";
  readonly onClick?: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button and its menu, which loads when the reader opens it. */
export function LateMenu({
  renderButton,
  children,
}: {
  readonly renderButton: (properties: MenuButtonProps) => ReactElement;
  /** The menu with its button: a lazy component that contains an `OpeningMenu`. */
  readonly children: ReactNode;
}) {
  const [isUsed, setUsed] = useState(false);
  const closed = renderButton({ "aria-haspopup": "menu", onClick: () => setUsed(true) });
  return isUsed ? <Suspense fallback={closed}>{children}</Suspense> : closed;
}
