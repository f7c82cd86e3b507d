/**
 * Phrases with which gateways say that they do not have something. The other words must identify
 * it.
 */
const NOT_FOUND_PHRASES =
  /not\s*(?:be\s*)?found|no\s+(?:such|record|data|transaction)|unknown\s+transaction|(?:does|do)\s*n[o']t\s+exist/i;
const CODE_OF_ERROR = /error\s+code:?\s*\d+/gi;
const CAMEL_CASE = /([a-z])([A-Z])/g;
const OTHER_SIGNS = /[^\w\s.,:;!?'"()[\]#-]/;
/** The method codes of payouts and deposits under the names of the specification. */
const CODE_OF_METHOD = /(?:payout|payment)[\s_]+code/i;
const TEXT_CHARS_MAX = 200;

const OBJECT_WORDS: ReadonlySet<string> = new Set(
  "transaction transactions trx order orders payout payouts withdraw withdrawal withdrawals deposit deposits payment payments record records data code codes".split(
    " ",
  ),
);
const FILLER_WORDS: ReadonlySet<string> = new Set(
  "the a an any this that such your our with for of in by it we sorry please check try again yet and or id number no not unknown was is are were be can could cannot has have does do doesn't don't found find exist exists matching given wd dp".split(
    " ",
  ),
);

/**
 * Returns whether the text of an answer says that the gateway does not have the queried transaction
 * (gateway.md section 7). It must name the transaction and nothing else: "Merchant not found",
 * "The route … could not be found" and a bare "Not Found" concern the path of the query to the
 * gateway. Taking those for the answer could resend a payout that has been paid. So every word must
 * be a known one.
 */
export function isNotFoundText(text: string, transactionCode: string): boolean {
  if (text.length > TEXT_CHARS_MAX || !NOT_FOUND_PHRASES.test(text)) return false;
  const said = text
    .replaceAll(transactionCode, " ")
    .replace(CODE_OF_ERROR, " ")
    .replace(CAMEL_CASE, "$1 $2");
  if (OTHER_SIGNS.test(said) || CODE_OF_METHOD.test(said)) return false;
  const words = said.toLowerCase().match(/[a-z0-9']+/g) ?? [];
  return (
    words.every((word) => OBJECT_WORDS.has(word) || FILLER_WORDS.has(word)) &&
    words.some((word) => OBJECT_WORDS.has(word))
  );
}

const SUCCESS_TEXT = /^(?:ok)?$|^(?:\[\w+\] *)?[a-z ]*\bsuccess[a-z ]*[.!]?$/i;
const REFUSAL_WORDS =
  /\b(?:not?|never|without|too many|session|log ?in|un\w+|in(?:valid|correct|active)|disabled|suspended|blocked|closed|errors?|fail\w*|wrong|missing|denied|forbidden|refused|rejected|expired|busy|limit\w*|exceed\w*|time\w*[ -]?out|abort\w*|cancel\w*|overload\w*|delay\w*|down|offline|maintenance|(?:re)?try|later|wait)\b/i;

const SUCCESS_WORD = /^(?:true|yes|1|ok|200|success)$/i;

/**
 * Returns whether nothing else in an answer with a list refuses the query. If `success` is true,
 * any message is allowed that does not sound like a refusal. If `success` is missing, the message
 * must be empty or report success.
 *
 * @param success the value of `success`, or of the `status` or `code` in its place, with numbers in
 * their original text.
 */
export function isUnrefused(success: unknown, text: string): boolean {
  if (text.length > TEXT_CHARS_MAX || REFUSAL_WORDS.test(text)) return false;
  return success == null ? SUCCESS_TEXT.test(text.trim()) : isSuccessOrAbsent(success);
}

const FAILURE_WORD = /^(?:false|no|error|fail(?:ed|ure)?|[45]\d\d)$/i;

/**
 * Returns whether a `status` or `code` next to the records says that the answer failed. Other
 * values mean nothing.
 */
export const isFailureWord = (word: unknown): boolean =>
  word === false || (typeof word === "string" && FAILURE_WORD.test(word.trim()));

/** Returns whether `success` is affirmative or absent. */
export const isSuccessOrAbsent = (success: unknown): boolean =>
  success == null ||
  success === true ||
  (typeof success === "string" && SUCCESS_WORD.test(success));
