import type { ReactNode } from "react";
import type { Tone } from "../../../base/state.ts";
import classes from "./upload.module.css";

/** A short highlighted message, in a tone that is readable in both themes. */
export const Notice = ({
  tone,
  title,
  role,
  children,
}: {
  readonly tone: Tone;
  readonly title: string;
  readonly role?: "status" | "alert";
  readonly children?: ReactNode;
}) => (
  <div className={classes.notice} data-tone={tone} role={role}>
    <strong>{title}</strong>
    {children}
  </div>
);
