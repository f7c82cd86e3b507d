/** An Indian Financial System Code: four letters for the bank, 0, six characters for the branch. */
export const IFSC_FORM = /^[A-Z]{4}0[A-Z0-9]{6}$/;

const LETTERS_FOR_DIGITS = /^[A-Z]{4}0[0-9OI]*[OI][0-9OI]*$/;

/**
 * Returns whether an IFSC contains a letter that was probably misread. Most branch parts are
 * digits, with few exceptions, which are words. An O or I among digits was misread from paper.
 */
export const mayHaveLetterForDigit = (ifsc: string): boolean => LETTERS_FOR_DIGITS.test(ifsc);

const IFSC_LENGTH = 11;

/**
 * Completes the sentence "The IFSC …" for a code that does not have the form. Rows with one fault
 * are counted together, so there are few texts.
 */
export function ifscFault(text: string): string {
  const { length } = [...text];
  if (length !== IFSC_LENGTH)
    return `has ${length < IFSC_LENGTH ? "fewer" : "more"} than ${IFSC_LENGTH} characters`;
  if (!/^[A-Z]{4}/.test(text)) return "does not begin with four capital letters";
  if (text[4] === "O") return "has the letter O as its fifth character, expected the digit 0";
  if (text[4] !== "0") return "does not have the digit 0 as its fifth character";
  return "contains characters other than capital letters and digits";
}

/**
 * Returns the intended IFSC if only its case, or an extra space or dash, is wrong. Null: it is not.
 */
export function suggestIfsc(text: string): string | null {
  if (!/^[A-Za-z0-9 -]{11,20}$/.test(text)) return null;
  const code = text.replace(/[ -]/g, "").toUpperCase();
  return IFSC_FORM.test(code) ? code : null;
}
