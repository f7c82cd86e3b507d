import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** The corner of the screen where notifications appear. */
export default function NotificationCorner() {
  return <Notifications position="bottom-right" />;
}
