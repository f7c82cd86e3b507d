import { UserRound } from "lucide-react";
import { useId } from "react";
import { usePerson } from "../session.ts";
import classes from "./user-menu.module.css";

/** Who is signed in, and as what. */
export function UserMenu() {
  const person = usePerson();
  const id = useId();
  if (!person) return null;
  return (
    <>
      <button type="button" className={classes.button} popoverTarget={id}>
        <UserRound size={18} aria-hidden />
        <span className={classes.name}>{person.name}</span>
      </button>
      <div popover="auto" id={id} className={classes.menu}>
        <p className={classes.person}>
          <strong>{person.name}</strong>
          <br />
          {person.email}
          <br />
          {person.roles.join(", ")}
        </p>
      </div>
    </>
  );
}
