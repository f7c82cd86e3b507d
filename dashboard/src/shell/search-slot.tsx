import classes from "./search-slot.module.css";

/** Where the search over everything stands in the top bar. */
export function SearchSlot() {
  return <div className={classes.slot} />;
}
