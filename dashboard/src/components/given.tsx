import classes from "./given.module.css";

/** So long is hardly a word of a language; a file, a code or an address may be. */
const LONG_WORD = /\S{25}/u;

/**
 * What people have written: a name, a file, a purpose, a reference. It is read from the side that its letters are read from,
 * and takes no number, code or sign that stands beside it along.
 */
export const Given = ({ text }: { readonly text: string }) => (
  <bdi className={classes.given} data-long={LONG_WORD.test(text) || undefined}>
    {text}
  </bdi>
);
