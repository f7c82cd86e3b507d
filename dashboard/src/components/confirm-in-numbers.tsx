import { lazy, Suspense, useState } from "react";
import type { ConfirmProps } from "./confirm-dialog.tsx";

/** A dialog is heavy, and most visits to a page do nothing that needs one. */
const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"));

/** The last question before something happens: says it in numbers, asks for a reason or the totals, shows a refusal. */
export function ConfirmInNumbers(props: ConfirmProps) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}
