import classes from "./user-text.module.css";

/** Text without spaces of this length, such as a file name, may break anywhere. */
const LONG_WORD = /\S{25}/u;

/**
 * Text that people typed, such as a name or a file name. Its direction does not affect the text
 * around it.
 */
export const UserText = ({ text }: { readonly text: string }) => (
  <bdi className={classes.text} data-long={LONG_WORD.test(text) || undefined}>
    {text}
  </bdi>
);
