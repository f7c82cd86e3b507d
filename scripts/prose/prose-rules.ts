/**
 * Constructions and terms that plain technical English avoids. docs/decisions/0105 explains them.
 */

/** A construction that native technical writers rarely use. Each text must do without it. */
export interface Marker {
  /** The key in test/prose-budget.json. */
  readonly name: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

// biome-ignore format: one marker per line
export const MARKERS: readonly Marker[] = [
  { name: "what-clause", pattern: /(?:^|[.:;!]\s+|["'>]\s*)What (?!(?:is|are|do|does|did|can|should|happens|if|kind|to)\b[^.|]*\?)[a-z]/g, instead: "start with the subject" },
  { name: "of-it", pattern: /\b(?:of|for|from|in) (?:it|them)\b(?=[.,;:)]|$)|\b(?:all|each|none|one|some|more|most|rest|much|nothing|half) of (?:it|them)\b/g, instead: "repeat the noun" },
  { name: "stands", pattern: /\bstands?\b(?! alone| still)/g, instead: "is, is stored, is written" },
  { name: "nothing-is", pattern: /\b(?:nothing|nobody) (?:is|was|are|of|else)\b/gi, instead: "name the subject: no payout is …" },
  { name: "whoever", pattern: /\bwho(?:so)?ever\b/gi, instead: "name the person or the role" },
  { name: "is-told", pattern: /\b(?:is|are|was|were|be|been) told\b|\btells? of\b/g, instead: "reports, is notified" },
  { name: "beside", pattern: /\bbeside\b/gi, instead: "next to, compared with" },
  { name: "archaic", pattern: /\b(?:anew|thereof|therein|whereof|wherein|hitherto|lest|ere)\b/gi, instead: "again, of this, in which, until now" },
  { name: "brought", pattern: /\bbrought\b|\bbrings? again\b|\bbringer\b/gi, instead: "uploaded" },
  { name: "put-off", pattern: /\bputs? off\b|\blets? go\b|\bkept back\b|\btaken up\b/gi, instead: "rescheduled, released, held back, assigned" },
  { name: "word", pattern: /\b(?:the|your|whose|somebody's|nobody's|person's) word\b(?! "| that (?:means|says))|\ba word (?:by|from|of)\b/gi, instead: "approval, decision, confirmation" },
  { name: "too-at-the-end", pattern: /, too\b/g, instead: "also" },
  { name: "any-more", pattern: /\bany ?more\b/gi, instead: "no longer" },
  { name: "so-that-may", pattern: /\bso that\b[^.]{0,80}\bmay\b/g, instead: "so, because" },
  { name: "who-without-subject", pattern: /(?:^|[.!?]\s+)(?:Who|Whom|Whose) [a-z]+ (?!.*\?)/g, instead: "a user who …" },
];

/** An old term that the glossary replaces. */
export interface OldTerm {
  readonly words: string;
  readonly pattern: RegExp;
  /** The term to use. */
  readonly use: string;
}

/** Words that stay as they are within a phrase. */
const SMALL = new Set(["a", "an", "the", "of", "in", "off", "up", "back", "by", "for", "go", "is"]);

const IRREGULAR: Readonly<Record<string, string>> = {
  bring: "bring(?:s|ing|er|ers)?|brought",
  give: "gives?|gave|given|giving",
  keep: "keeps?|kept|keeping",
  let: "lets?|letting",
  put: "puts?|putting",
  submit: "submit(?:s|ted|ting)?",
  take: "takes?|took|taken|taking",
};

/** Matches a term in all its forms: plural, past tense and participle. */
function formsOf(word: string): string {
  if (SMALL.has(word)) return word;
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return `(?:${irregular})`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}(?:y|ies|ied|ying)`;
  if (word.endsWith("e")) return `${word.slice(0, -1)}(?:e|es|ed|ing)`;
  return `${word}(?:s|es|ed|ing)?`;
}

/** Matches a term or phrase of the glossary; "…" in a phrase matches up to two words. */
function patternOf(words: string): RegExp {
  const forms = words.split(" ").map((word) => (word === "…" ? null : formsOf(word)));
  const text = forms.reduce<string>((all, form, at) => {
    if (form === null) return `${all}(?: [\\w'’-]+){0,2}`;
    return at === 0 ? form : `${all} ${form}`;
  }, "");
  // The possessive of a phrase continues it: "ask the gateway's support" asks somebody else.
  return new RegExp(`\\b${text}\\b${forms.length > 1 ? "(?!['’]s)" : ""}`, "gi");
}

/** Reads the column "Not" of the glossary. An entry in italics is advice and is not checked. */
export function oldTermsOf(glossary: string): OldTerm[] {
  const rows = glossary
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => cells.length === 5 && !/^(?:Term|-+)$/.test(cells[1] ?? ""));
  return rows.flatMap(([, use = "", , not = ""]) =>
    not
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "" && !/^_.*_$/.test(entry))
      .map((words) => ({ words, pattern: patternOf(words), use })),
  );
}
