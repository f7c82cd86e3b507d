import { notificationsStore } from "@mantine/notifications";
import { lazy, Suspense, useEffect, useState } from "react";

/** Loads the corner of the screen where notifications appear. */
export const loadNotificationCorner = () => import("./notification-corner.tsx");
const NotificationCorner = lazy(loadNotificationCorner);

/** Shows notifications. Their code loads with the first one, which the first page rarely has. */
export function Toasts() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => notificationsStore.subscribe(() => setNeeded(true)), []);
  return isNeeded ? (
    <Suspense fallback={null}>
      <NotificationCorner />
    </Suspense>
  ) : null;
}
