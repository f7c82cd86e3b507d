import { Alert } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { rememberCsrf } from "../client.ts";
import { Door } from "../pages/people/door.tsx";
import { SignIn } from "../pages/people/sign-in.tsx";
import { sessionQuery } from "../session.ts";
import classes from "./lock.module.css";

/**
 * Covers the page when its session has ended. The page is not left: whoever signs in again finds what they had typed.
 * Somebody else finds a page of their own.
 */
export default function Lock({ onOpened }: { readonly onOpened: () => void }) {
  const queries = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const [before] = useState(session);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // They may have signed in here or in another tab.
  useEffect(() => {
    if (!session || session.csrf_token === before?.csrf_token) return;
    if (session.person?.id !== before?.person?.id) return globalThis.location.reload();
    void queries.invalidateQueries();
    dialog.current?.close();
    onOpened();
  }, [session, before, queries, onOpened]);
  return (
    <dialog
      ref={dialog}
      className={classes.lock}
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
    >
      <Door title="Sign in">
        <Alert color="yellow" variant="light" role="status">
          Your session has ended. Sign in, and you are back where you were, with what you had typed.
        </Alert>
        <SignIn
          onIn={(entered) => {
            rememberCsrf(entered.csrf_token);
            queries.setQueryData(sessionQuery.queryKey, entered);
          }}
        />
      </Door>
    </dialog>
  );
}
