import { type ReactNode, useEffect, useId, useState } from "react";
import classes from "./tooltip.module.css";

/** A tooltip on hover and focus. It stays open while the pointer is on it, and Escape closes it. */
export function Tooltip({
  says,
  children,
}: {
  readonly says: ReactNode;
  /** The described element, which takes the id of the tooltip. */
  readonly children: (tipId: string) => ReactNode;
}) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const show = (): void => setIsShown(true);
  const hide = (): void => setIsShown(false);
  useEffect(() => {
    if (!isShown) return;
    const close = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") setIsShown(false);
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [isShown]);
  return (
    <span
      className={classes.around}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children(id)}
      <span role="tooltip" id={id} className={classes.tip} hidden={!isShown}>
        {says}
      </span>
    </span>
  );
}
