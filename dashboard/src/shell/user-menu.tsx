import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { call } from "../server/client.ts";
import { clearUserData } from "../server/query-client.ts";
import { usePerson } from "../server/session.ts";
import classes from "./user-menu.module.css";
import { messages } from "./messages.tsx";

const texts = messages.userMenu;

/** The menu of the signed-in person. */
export function UserMenu({ onKeys }: { readonly onKeys: () => void }) {
  const person = usePerson();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const signOut = async (): Promise<void> => {
    await call("DELETE /api/session");
    clearUserData();
    await navigate({ to: "/login" });
  };
  if (!person) return null;
  return (
    <>
      <button type="button" className={classes.button} popoverTarget={id}>
        <span className={classes.avatar} aria-hidden>
          {initialsOf(person.name)}
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{person.name}</span>
          <span className={classes.roles} aria-hidden>
            {person.roles.join(", ")}
          </span>
        </span>
      </button>
      <div ref={menu} popover="auto" id={id} className={classes.menu}>
        <p className={classes.person}>
          <strong>{person.name}</strong>
          <br />
          {person.email}
          <br />
          {person.roles.join(", ")}
        </p>
        <Link to="/profile" className={classes.item} onClick={() => menu.current?.hidePopover()}>
          {texts.profile}
        </Link>
        <Link
          to="/settings/keys"
          className={classes.item}
          onClick={() => menu.current?.hidePopover()}
        >
          {texts.keys}
        </Link>
        <button
          type="button"
          className={classes.item}
          onClick={() => {
            menu.current?.hidePopover();
            onKeys();
          }}
        >
          {texts.shortcuts}
        </button>
        <button type="button" className={classes.item} onClick={() => void signOut()}>
          {texts.signOut}
        </button>
      </div>
    </>
  );
}

/** "CW" for Chen Wei: the first letters of the first and the last word of the name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return letters.map((word) => [...(word ?? "")][0] ?? "").join("");
}
