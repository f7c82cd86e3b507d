import { Fragment } from "react";
import classes from "./method-and-path.module.css";

/** The method and path of an endpoint. A long path breaks only between its parts. */
export const MethodAndPath = ({
  method,
  path,
  isShort = false,
}: {
  readonly method: string;
  readonly path: string;
  /** Omits the first part of the path, which all endpoints share, and aligns the paths. */
  readonly isShort?: boolean;
}) => (
  <span className={isShort ? classes.row : classes.line}>
    <span className={classes.method}>{method}</span>
    <code className={classes.path}>
      {(isShort ? path.replace(/^\/api/, "") : path).split("/").map((part, at) =>
        at === 0 ? null : (
          <Fragment key={at}>
            <wbr />/{part}
          </Fragment>
        ),
      )}
    </code>
  </span>
);
