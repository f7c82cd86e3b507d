import { Button } from "@mantine/core";
import { Columns3 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Loading } from "../loading.tsx";
import { LatePopover } from "../popover/late-popover.tsx";
import type { ViewControlsProps } from "./list-settings.ts";
import classes from "./list-table.module.css";
import { messages } from "./messages.ts";

/** Loaded when the reader opens the settings. */
const ViewSettings = lazy(() => import("./view-settings.tsx"));

/** The button that opens the row height and the columns of a list. */
export const ViewControls = (props: ViewControlsProps) => (
  <LatePopover
    position="bottom-end"
    width={240}
    button={(properties) => (
      <Button
        {...properties}
        variant="default"
        size="xs"
        className={classes.controls}
        leftSection={<Columns3 size={14} aria-hidden />}
      >
        {messages.display}
      </Button>
    )}
  >
    {() => (
      <Suspense fallback={<Loading lines={4} />}>
        <ViewSettings {...props} />
      </Suspense>
    )}
  </LatePopover>
);
