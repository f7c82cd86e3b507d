import { lazy, Suspense, useState } from "react";
import type { ConfirmProps } from "./confirm-dialog.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** Loaded on demand, because a dialog is large and most visits need none. */
const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"));

/**
 * The confirmation before an action: states its effect in numbers, asks for a reason or totals and
 * shows a refusal.
 */
export function ConfirmAction(props: ConfirmProps) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}

/** Whether the person may act now, as reported by the server. */
export interface ActionPermission {
  readonly may: boolean;
  readonly why_not: string | null;
}

/** Returns why the action is not available, for `passed` of a dialog; null if it is available. */
export const unavailableReason = ({ may, why_not }: ActionPermission): string | null =>
  may ? null : (why_not ?? detailMessages.changed.notPossible);
