import { describe, expect, test } from "vitest";
import { isZawgyi, lostLettersSeverity, repairMojibake } from "#intake/text/mojibake.ts";
import { INR, readRows } from "../good-row.ts";

const decoder = new TextDecoder("windows-1252");
/** UTF-8 as shown by a program that reads it as Windows-1252. */
const misread = (name: string) => decoder.decode(Buffer.from(name));

const NAMES = [
  "João Silva",
  "Nguyễn Văn Anh",
  "สมชาย ใจดี",
  "মোঃ রফিকুল",
  "山田太郎",
  "김철수",
  "张伟",
  "O’Neil",
  "İbrahim Çağrı",
  "Peña",
  "บริษัท ABC จำกัด",
  "Jesús Inês",
  "Trần Thị Thơ".normalize("NFD"),
];

describe("a name read in the wrong encoding", () => {
  test.each(NAMES)("is recognised: %s", (name) => {
    const composed = name.normalize("NFC");
    expect(repairMojibake(misread(name))).toBe(composed);
    expect(repairMojibake(Buffer.from(name).toString("latin1"))).toBe(composed);
  });

  test("is refused with the intended name", () => {
    const [verdict] = readRows([{ ...INR, account_name: misread("João Silva") }]);
    expect(verdict).toMatchObject({
      kind: "rejected",
      problems: [{ code: "letters_misread", column: "account_name", expected: "João Silva" }],
    });
    const [bank] = readRows([{ ...INR, bank_name: misread("Itaú") }]);
    expect(bank).toMatchObject({ kind: "rejected", problems: [{ code: "letters_misread" }] });
  });

  test.each([
    ...NAMES,
    "",
    "Asha Rao",
    "JOÃO CONCEIÇÃO",
    "Ãngelo",
    "Nº 1ª",
    "NICOLÒ’",
    "POSPÍŠIL",
    "KENÍŽ A KOREC",
    "DEKÝŠ",
    "CAFÉ® ANDRÉ’S",
    "FORLÌ’",
    "Strauß’ Erben",
    "João Ã£ 山田",
    "João ConceiÃ§Ã£o",
    "Ã",
  ])("is not found in %j", (name) => {
    expect(repairMojibake(name)).toBeNull();
  });
});

describe("a question mark in a name", () => {
  test.each(["Nguy?n V?n An", "??? ???", "Jo?o", "Lý ??", "M??c"])(
    "replaces a lost letter: %s",
    (account_name) => {
      expect(lostLettersSeverity(account_name)).toBe("error");
      const [verdict] = readRows([{ ...INR, account_name }]);
      expect(verdict).toMatchObject({ kind: "rejected" });
      expect(verdict?.kind === "rejected" && verdict.problems).toContainEqual(
        expect.objectContaining({ code: "letters_lost", severity: "error" }),
      );
    },
  );

  test.each(["Guess?", "L? Thanh", "Asha (?) Rao", "?"])(
    "may replace a lost letter: %s",
    (account_name) => {
      expect(lostLettersSeverity(account_name)).toBe("warning");
      expect(readRows([{ ...INR, account_name }])).toMatchObject([{ kind: "draft" }]);
    },
  );

  test.each(["", "Asha Rao", "¿Qué", "山田？"])("is not found in %j", (name) => {
    expect(lostLettersSeverity(name)).toBeNull();
  });
});

describe("a name in Zawgyi", () => {
  test.each(["ေအာင္ေအာင္", "ဦးေအာင္မင္း", "ျမင့္ျမင့္ေအး", "ကိုထြန္းထြန္း", "ခင္မ်ိဳးခ်စ္", "သီတာေမာင္", "Daw ေဌးလြင္"])(
    "is reported but accepted: %s",
    (account_name) => {
      expect(isZawgyi(account_name)).toBe(true);
      expect(readRows([{ ...INR, account_name }])).toMatchObject([
        { kind: "draft", warnings: [{ code: "letters_of_zawgyi", column: "account_name" }] },
      ]);
    },
  );

  test.each([
    "အောင်အောင်",
    "ဒေါ်အောင်ဆန်းစုကြည်",
    "မြင့်မြင့်အေး",
    "သန္တာ",
    "သင်္ဘော ယောက်ျား",
    "ဝိဿာခါ ဣန္ဒြေ",
    "ကုမ္ပဏီ ABC လီမိတက်",
    "ၸဝ်ႁၢင်",
    "စုစု",
    "Aung",
  ])("is not found in Unicode text: %s", (account_name) => {
    expect(isZawgyi(account_name)).toBe(false);
    expect(readRows([{ ...INR, account_name }])).toMatchObject([{ kind: "draft", warnings: [] }]);
  });
});
