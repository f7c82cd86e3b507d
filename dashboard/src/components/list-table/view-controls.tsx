import { Button, Popover } from "@mantine/core";
import { Columns3 } from "lucide-react";
import { lazy, Suspense } from "react";
import { Loading } from "../loading.tsx";
import type { ViewControlsProps } from "./list-settings.ts";
import classes from "./list-table.module.css";
import { messages } from "./messages.ts";

/** Loaded when the reader opens the settings. */
const ViewSettings = lazy(() => import("./view-settings.tsx"));

/** The button that opens the row height and the columns of a list. */
export const ViewControls = (props: ViewControlsProps) => (
  <Popover position="bottom-end" width={240} shadow="md" radius="lg" trapFocus>
    <Popover.Target>
      <Button
        variant="default"
        size="xs"
        className={classes.controls}
        leftSection={<Columns3 size={14} aria-hidden />}
      >
        {messages.display}
      </Button>
    </Popover.Target>
    <Popover.Dropdown>
      <Suspense fallback={<Loading lines={4} />}>
        <ViewSettings {...props} />
      </Suspense>
    </Popover.Dropdown>
  </Popover>
);
