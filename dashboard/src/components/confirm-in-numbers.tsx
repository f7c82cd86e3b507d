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

/** What a person may do now, as the server says it. */
export interface May {
  readonly may: boolean;
  readonly why_not: string | null;
}

/** For `passed` of a dialog. */
export const passedOf = ({ may, why_not }: May): string | null =>
  may ? null : (why_not ?? "It cannot be done any more.");
