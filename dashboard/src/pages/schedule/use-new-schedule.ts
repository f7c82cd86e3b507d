import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";

/** Whether the dialog for a new schedule is open. The address "/schedules#new" opens it. */
export function useNewSchedule() {
  const [isChosen, setChosen] = useState(false);
  const isAsked = useLocation({ select: ({ hash }) => hash === "new" });
  const navigate = useNavigate();
  return {
    isOpen: isChosen || isAsked,
    open: (): void => setChosen(true),
    close: (): void => {
      setChosen(false);
      if (isAsked) void navigate({ to: "/schedules", replace: true });
    },
  };
}
